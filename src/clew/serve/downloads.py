"""The bytes of a page as a download: never shown, whatever they say of themselves."""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import Response

from clew.serve.problems import Problem
from clew.serve.service import Service


def download(service: Service, crawl: str, url: str) -> Response:
    """The body of the newest version of a page."""
    with service.records(crawl) as records:
        record = records.find(url)
        if record is None or record.order < 0:
            raise Problem(HTTPStatus.NOT_FOUND, "the crawl has not visited this URL")
        newest = records.latest(record)
        if not newest.file:
            raise Problem(HTTPStatus.NOT_FOUND, "the archive has no answer of this page")
        body = records.store.answer(newest).body
    headers = {"content-disposition": f'attachment; filename="page-{record.order}.bin"'}
    return Response(body, media_type="application/octet-stream", headers=headers)
