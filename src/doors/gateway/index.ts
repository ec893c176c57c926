// The public list of `waybill/gateway`: a gateway for servers you do not own.

export { createGateway } from "./create-gateway.ts";
export { archiveFolder } from "./state-folder.ts";
export type { DashboardOptions } from "./dashboard/dashboard-parts.ts";
export type {
  CommandUpstream,
  Gateway,
  GatewayAddresses,
  GatewayAuth,
  GatewayEnd,
  GatewayOptions,
  GatewaySummary,
  HttpOptions,
  JwtAuth,
  OAuthOptions,
  UpstreamAuth,
  UpstreamContract,
  UpstreamOptions,
  UrlUpstream,
} from "./gateway-options.ts";
