// A browser without a screen: signs in to the dashboard by the link that a gateway printed, and asks its API.

export interface SignedInPage {
  readonly get: <Answer>(path: string) => Promise<Answer>;
  readonly post: <Answer>(path: string, body: unknown) => Promise<Answer>;
}

async function linkIn(said: () => string): Promise<URL> {
  for (let left = 1_000; left > 0; left--) {
    const [link] = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(said()) ?? [];
    if (link !== undefined) return new URL(link);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The gateway printed no link: ${said()}`);
}

/** A page whose cookies are these. */
function pageWith(origin: string, cookie: string): SignedInPage {
  const read = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    const headers = { cookie, ...(init.headers as Record<string, string>) };
    const answer = await fetch(new URL(path, origin), { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  return {
    get: (path) => read(path, {}),
    post: (path, body) =>
      read(path, {
        method: "POST",
        headers: { "content-type": "application/json", "x-waybill": "page" },
        body: JSON.stringify(body),
      }),
  };
}

/** `said` is what the gateway has written so far. */
export async function signIn(said: () => string): Promise<SignedInPage> {
  const link = await linkIn(said);
  const entered = await fetch(link, { redirect: "manual" });
  const [cookie = ""] = entered.headers.getSetCookie()[0]?.split(";") ?? [];
  return pageWith(link.origin, cookie);
}
