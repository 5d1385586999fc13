# The program in an image, from the packed package: npm run build && npm pack && docker build --tag iotdeck .
#   docker run --rm iotdeck --version
#   docker run --init --publish 127.0.0.1:5410:5410 iotdeck sandbox start --host 0.0.0.0 --port 5410 --data-dir /data
FROM node:22-slim
RUN install --directory --owner node --group node /data
COPY iotdeck-*.tgz /tmp/package/
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/package/iotdeck-*.tgz && npm cache clean --force
USER node
WORKDIR /data
VOLUME /data
EXPOSE 5410
ENTRYPOINT ["iot"]
CMD ["--help"]
