# docker build --tag clew .                        the service, and every command of clew
# docker build --tag clew-browser --target browser .   the same with Chromium, for --render
FROM debian:trixie-slim AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# The versions of Debian packages follow the release.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml README.md LICENSE /src/
COPY src /src/src
COPY docs/clew.1 /src/docs/clew.1
# An environment of its own, with everything in it: the images below only copy it.
RUN python3 -m venv /opt/clew \
 && /opt/clew/bin/pip install --no-cache-dir '/src[serve,mcp,pdf,parquet]'

FROM debian:trixie-slim AS base
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates python3 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 10001 clew \
 && install --directory --owner clew --group clew /crawls
COPY --from=build /opt/clew /opt/clew
ENV PATH=/opt/clew/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER 10001
VOLUME /crawls
WORKDIR /crawls
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD \
  ["python3", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]
# tini waits for crawls that the service has started, and hands signals on.
ENTRYPOINT ["tini", "--", "clew"]
# Give CLEW_TOKEN: the service refuses to be reached from outside without one.
CMD ["serve", "/crawls", "--host", "0.0.0.0"]

FROM base AS browser
USER 0
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends chromium fonts-liberation \
 && rm -rf /var/lib/apt/lists/* \
 && /opt/clew/bin/pip install --no-cache-dir 'playwright>=1.48'
USER 10001

# The last target is the one that is built when none is named.
FROM base AS service
