// What the journeys use of oidc-provider, which has no types of its own.

declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Context {
    readonly path: string;
    body: unknown;
    readonly oidc?: {
      readonly body?: Readonly<Record<string, unknown>>;
      readonly params?: Readonly<Record<string, unknown>>;
    };
  }

  interface Token {
    readonly scope?: string;
    readonly exp: number;
    readonly clientId: string;
    readonly accountId: string;
    readonly grantId: string;
    readonly aud?: string | readonly string[];
    readonly isExpired: boolean;
    destroy(): Promise<void>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface InteractionDetails {
    readonly params: Readonly<Record<string, string | undefined>>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: {
      find(value: string): Promise<Token | undefined>;
      revokeByGrantId(id: string): Promise<void>;
    };
    readonly RefreshToken: {
      find(value: string): Promise<Token | undefined>;
      revokeByGrantId(id: string): Promise<void>;
    };
    readonly Grant: new (about: { accountId: string; clientId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
