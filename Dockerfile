# One image for every role:  docker build -t arena .
#     docker run --rm arena agent NAME HOST PORT
#     docker run --rm -v arena:/data -p 127.0.0.1:9380:9380 arena server --listen 0.0.0.0 --folder /data
FROM python:3.11-slim AS dependencies

# The run-time dependencies have a layer of their own, which stays when only the sources change.
# Their tests are a tenth of it.
ARG REQUIREMENTS="msgpack numba numpy structlog"
COPY constraints.txt /
RUN python -m venv --without-pip /opt/arena \
    && pip --python /opt/arena/bin/python install --no-cache-dir -c /constraints.txt ${REQUIREMENTS} \
    && find /opt/arena -type d -name tests -prune -exec rm -r {} +

FROM dependencies AS build
WORKDIR /src
COPY . .
RUN pip --python /opt/arena/bin/python install --no-cache-dir --no-deps --prefix /built .

FROM dependencies
COPY --from=build /built /opt/arena
ENV PATH=/opt/arena/bin:$PATH ARENA_CACHE_DIR=/var/cache/arena

# Named volumes take their owner from these folders: what is to last, and compiled code.
RUN useradd --uid 10001 --home-dir /data --no-create-home arena \
    && install -d -o arena -g arena /data /var/cache/arena
USER arena
WORKDIR /data
EXPOSE 9380
ENTRYPOINT ["arena"]
CMD ["--help"]
