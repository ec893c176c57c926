# The gateway as an image. Build: docker build -t waybill .
# Servers that it starts as commands must be in the image too: --build-arg SERVERS="@modelcontextprotocol/server-everything"
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /out

FROM node:24-slim
ARG SERVERS=""
COPY --from=build /out/ /tmp/package/
# Peers that the image brings, so that every store works and every document can be digested, and large pictures are scaled.
RUN npm install --global /tmp/package/*.tgz zod@4 @redis/client@6 \
    unpdf@1.7.0 htmlparser2@12.0.0 linkedom@0.18.12 @mozilla/readability@0.6.0 markdown-it@15.0.3 sharp@0.35.5 \
    ${SERVERS} && rm -rf /tmp/package /root/.npm
ENV NODE_ENV=production
# Nothing is written below it where the store is a Redis.
ENV XDG_STATE_HOME=/var/lib
RUN install -d -o node -g node -m 0700 /var/lib/waybill
COPY deploy/gateway.json /etc/waybill/gateway.json
USER node
EXPOSE 3333
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:3333/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["waybill"]
CMD ["gateway", "--log", "json", "--config", "/etc/waybill/gateway.json"]
