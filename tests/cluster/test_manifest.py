"""The example for KubeRay has what the schemas of Kubernetes and KubeRay ask for, as far as they can be had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")
MANIFEST = Path(__file__).parents[2] / "examples" / "kuberay.yaml"
REQUIRED = {"groupName", "replicas", "minReplicas", "maxReplicas", "rayStartParams", "template"}


@pytest.fixture
def spec() -> Any:
    manifest = yaml.safe_load(MANIFEST.read_text())
    assert (manifest["apiVersion"], manifest["kind"]) == ("ray.io/v1", "RayCluster")
    return manifest["spec"]


def test_the_groups_have_what_kuberay_asks_for(spec: Any) -> None:
    assert spec.keys() == {"rayVersion", "headGroupSpec", "workerGroupSpecs"}
    assert spec["headGroupSpec"].keys() == {"rayStartParams", "template"}
    for group in spec["workerGroupSpecs"]:
        assert group.keys() == REQUIRED
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        # A shard stays where its folder is.
        assert group["replicas"] == group["minReplicas"] == group["maxReplicas"]


def test_the_pods_are_valid(spec: Any) -> None:
    kubernetes = pytest.importorskip("kubernetes_validate")
    for group in (spec["headGroupSpec"], *spec["workerGroupSpecs"]):
        template = group["template"]
        metadata = {"name": "pod", **template.get("metadata", {})}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
        kubernetes.validate(pod, kubernetes.latest_version(), strict=True)
