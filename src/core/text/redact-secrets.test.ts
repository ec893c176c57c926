import { describe, expect, it } from "vitest";
import { furtherKeys, noise, places, providerKeys } from "./planted-secrets.fixture.ts";
import { createRedactor } from "./redact/redact-secrets.ts";

const redactor = createRedactor();

/** Stretches of five characters of the secret that are still there. */
function remains(secret: string, text: string): string[] {
  const stretches = Array.from({ length: Math.max(1, secret.length - 4) }, (_, at) =>
    secret.slice(at, at + 5),
  );
  return stretches.filter((stretch) => text.includes(stretch));
}

// A Telegram token has the form of a user and a password, and a webhook shares ".com/" with the places' own address.
const isMistakable = (name: string, place: string): boolean =>
  (name === "TELEGRAM_TOKEN" && place === "a shell line") ||
  (name.endsWith("WEBHOOK") && (place === "a URL" || place === "a shell line"));

const body = Array.from({ length: 4 }, (_, row) => noise(64, undefined, row)).join("\n");
const pem = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`;
const awsSecret = `${noise(20)}/${noise(10)}+${noise(8)}`;
const word = `hunter2${noise(6)}`;

const named: readonly (readonly [context: string, secret: string, label: string])[] = [
  [`password=${word}`, word, "PASSWORD"],
  [`password: ${word}`, word, "PASSWORD"],
  [`Password: letmein\n`, "letmein", "PASSWORD"],
  [`DB_PASSWORD=p@ss,w0rd;1 # local`, "p@ss,w0rd;1", "PASSWORD"],
  [`export PGPASSWORD='two words 3'`, "two words 3", "PASSWORD"],
  [`{"user":"bob","password":"a\\"b c${word}"}`, `b c${word}`, "PASSWORD"],
  [`{'passwd': '${word}'}`, word, "PASSWORD"],
  [JSON.stringify({ log: JSON.stringify({ password: `q"${word}` }) }), word, "PASSWORD"],
  [JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ password: word }) }) }), word, "PASSWORD"],
  [`Config(user='bob', password='${word}', port=1)`, word, "PASSWORD"],
  [`connect(password=${word}, host=db)`, word, "PASSWORD"],
  [`Server=db;Database=app;User Id=sa;Password=My Pass 99;Encrypt=true`, "My Pass 99", "PASSWORD"],
  [`Server=db;Uid=sa;Pwd=${word};`, word, "PASSWORD"],
  [`host=localhost user=bob password=${word} dbname=x`, word, "PASSWORD"],
  [`ALTER USER bob WITH PASSWORD '${word}';`, word, "PASSWORD"],
  [`mysqldump --password ${word} db`, word, "PASSWORD"],
  [`<Password>${word}</Password>`, word, "PASSWORD"],
  [`spring.datasource.password=${word}`, word, "PASSWORD"],
  [`password: str = "${word}"`, word, "PASSWORD"],
  [`config["password"] = "${word}"`, word, "PASSWORD"],
  [`passphrase => '${word}'`, word, "PASSWORD"],
  [`at login (password=${word})\n    at main.js:1:1`, word, "PASSWORD"],
  [`first\\npassword=${word}\\nlast`, word, "PASSWORD"],
  [`https://api.example.com/?user=1&token=${word}&page=2`, word, "TOKEN"],
  [`redirect=%2Fcb%3Ftoken%3D${word}%26x%3D1`, word, "TOKEN"],
  [`{"token": "${word}"}`, word, "TOKEN"],
  [`{"access_token":"${word}","token_type":"Bearer"}`, word, "TOKEN"],
  [`{\\"refreshToken\\":\\"${word}\\",\\"x\\":1}`, word, "TOKEN"],
  [`refresh_token=${word}&grant_type=refresh_token`, word, "TOKEN"],
  [`Invalid token: ${word}`, word, "TOKEN"],
  [`ACME_TOKEN=${word}`, word, "TOKEN"],
  [`--token=${word} --verbose`, word, "TOKEN"],
  [`//registry.npmjs.org/:_authToken=${word}`, word, "TOKEN"],
  [`api_key=${word}`, word, "API_KEY"],
  [`apiKey: '${word}',`, word, "API_KEY"],
  [`x-api-key: ${word}`, word, "API_KEY"],
  [`Incorrect API key: ${word}.`, word, "API_KEY"],
  [`const stripeApiKey = "${word}";`, word, "API_KEY"],
  [`"APIKEY":"${word}"`, word, "API_KEY"],
  [`client_secret=${word}`, word, "SECRET"],
  [`"clientSecret" : "${word}"`, word, "SECRET"],
  [`SECRET_KEY = '${word}'`, word, "SECRET"],
  [`secret: ${word}`, word, "SECRET"],
  [`"private_key": "${word}"`, word, "PRIVATE_KEY"],
  [`aws_secret_access_key = ${awsSecret}`, awsSecret, "AWS_SECRET_KEY"],
  [`AWS_SECRET_ACCESS_KEY=${awsSecret}`, awsSecret, "AWS_SECRET_KEY"],
  [`<SecretAccessKey>${awsSecret}</SecretAccessKey>`, awsSecret, "AWS_SECRET_KEY"],
  [`"SecretAccessKey":"${awsSecret}"`, awsSecret, "AWS_SECRET_KEY"],
  [`Access key ID,Secret\nAKIA${noise(16, "ABCDEFGH")},${awsSecret}`, awsSecret, "AWS_ACCESS_KEY"],
  [`AccountName=acme;AccountKey=${noise(86)}==;EndpointSuffix=x`, noise(86), "AZURE_KEY"],
  [`SharedAccessKeyName=Root;SharedAccessKey=${noise(43)}=`, noise(43), "AZURE_KEY"],
  [`Authorization: Bearer ${word}`, word, "AUTHORIZATION"],
  [`authorization: Basic ${noise(20)}==`, noise(20), "AUTHORIZATION"],
  [`curl -H 'Authorization: Bearer ${word}' x`, word, "AUTHORIZATION"],
  [`{"Authorization":"Basic ${noise(20)}="}`, noise(20), "AUTHORIZATION"],
  [`{ authorization: [ 'Bearer ${word}' ] }`, word, "AUTHORIZATION"],
  [`Authorization: Digest username="bob", response=${noise(32)}`, "username=", "AUTHORIZATION"],
  [`["accept","*/*","authorization2","Bearer ${noise(24)}1"]`, noise(24), "AUTHORIZATION"],
  [`Authorization: SSWS ${noise(42)}`, noise(42), "AUTHORIZATION"],
  [`Authorization: SharedKey acme:${noise(43)}= and more`, `${noise(43)}= and`, "AUTHORIZATION"],
  [`authorization: GenieKey 3f2a9c01-b7de-4c55-9d3a`, "3f2a9c01", "AUTHORIZATION"],
  [`Authorization: Signature keyId="a1", signature="${word}"`, "keyId", "AUTHORIZATION"],
  [`Authorization: Custom ${word} second-${word}`, word, "AUTHORIZATION"],
  [`{"Proxy-Authorization":"Odd ${word} rest of it"}`, `${word} rest of it`, "AUTHORIZATION"],
  [`curl -H 'authorization: Splunk ${word}' https://x`, word, "AUTHORIZATION"],
  [`sent with Basic ${btoa(`bob:${word}`)} to it`, btoa(`bob:${word}`).slice(0, 20), "AUTHORIZATION"],
  [`{"auths":{"r.io":{"auth":"${btoa(`bob:${word}`)}"}}}`, btoa(`bob:${word}`), "AUTHORIZATION"],
  [`//registry.example/:_auth=${btoa(`bob:${word}`)}`, btoa(`bob:${word}`).slice(0, 20), "AUTHORIZATION"],
  [`{"auths":{"r.io":{"identitytoken":"${word}"}}}`, word, "TOKEN"],
  [`curl -u bob:${word} https://x`, word, "PASSWORD"],
  [`curl -s https://x -ubob:${word}`, word, "PASSWORD"],
  [`$ curl --user 'bob:${word} 1' https://x`, `${word} 1`, "PASSWORD"],
  [`curl --proxy-user "bob:${word}" x`, word, "PASSWORD"],
  [`curl -X POST \\\n  -u bob:${word} \\\n x`, word, "PASSWORD"],
  [JSON.stringify({ cmd: `curl -u "bob:${word}" x` }), word, "PASSWORD"],
  [`CREATE USER bob IDENTIFIED BY '${word}';`, word, "PASSWORD"],
  [`alter user bob identified by "${word}"`, word, "PASSWORD"],
  [`CREATE USER bob IDENTIFIED WITH mysql_native_password BY '${word}'`, word, "PASSWORD"],
  [`GRANT ALL ON *.* TO bob IDENTIFIED BY PASSWORD '${word}'`, word, "PASSWORD"],
  [`CREATE USER bob IDENTIFIED BY ${word} QUOTA 1M`, word, "PASSWORD"],
  [`sendapi_key=${word}`, word, "API_KEY"],
  [`https://api.telegram.org/bot${noise(10, "123456789")}:AA${noise(33)}/getMe`, noise(33), "TELEGRAM_TOKEN"],
  [`https://x.webhook.office.com/webhookb2/${noise(40)}/IncomingWebhook/y`, noise(40), "TEAMS_WEBHOOK"],
  [`Cookie: sid=${word}; theme=dark${word}\nAccept: */*`, word, "COOKIE"],
  [`Set-Cookie: id=${word}; Path=/; HttpOnly`, word, "COOKIE"],
  [`{"set-cookie":["a=${word}; Path=/","b=${word}"],"x":1}`, word, "COOKIE"],
  [`document.cookie = "sid=${word}"`, word, "COOKIE"],
  [`postgres://bob:${word}@db.example.com:5432/app`, word, "URL_PASSWORD"],
  [`redis://:${word}@cache:6379`, word, "URL_PASSWORD"],
  [`mongodb+srv://bob:p%40${word}@c.mongodb.net/?w=1`, word, "URL_PASSWORD"],
  [`mysql://bob:p@ss${word}@db/app`, word, "URL_PASSWORD"],
  [`amqp://bob:pa/ss${word}@mq:5672/v`, word, "URL_PASSWORD"],
  [`https:\\/\\/bob:${word}@example.com\\/x`, word, "URL_PASSWORD"],
  [pem("RSA "), body, "PRIVATE_KEY"],
  [pem(""), body, "PRIVATE_KEY"],
  [pem("EC "), body, "PRIVATE_KEY"],
  [pem("OPENSSH "), body, "PRIVATE_KEY"],
  [pem("ENCRYPTED "), body, "PRIVATE_KEY"],
  [JSON.stringify({ key: pem("RSA ") }), body, "PRIVATE_KEY"],
  [JSON.stringify(JSON.stringify({ pk: pem("") })), body, "PRIVATE_KEY"],
  [JSON.stringify(pem("").split("\n")), body, "PRIVATE_KEY"],
  [pem("RSA ").replaceAll("\n", " "), body.replaceAll("\n", " "), "PRIVATE_KEY"],
  [`Key:\n-----BEGIN RSA PRIVATE KEY-----\n${body}`, body, "PRIVATE_KEY"],
  [`-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${body}\n[cut]`, body, "PRIVATE_KEY"],
  [JSON.stringify({ key: pem("").slice(0, 200) }), body.slice(0, 150), "PRIVATE_KEY"],
  [`Private-Lines: 4\n${body}\nPrivate-MAC: ${noise(40)}`, body, "PRIVATE_KEY"],
];

describe("createRedactor().text", () => {
  it.each(Object.entries(places))("hides the key of every provider in %s", (place, put) => {
    const keys = Object.entries({ ...providerKeys, ...furtherKeys() });
    const shown = keys
      .filter(([name]) => !isMistakable(name, place))
      .map(([name, key]) => ({ name, key, ...redactor.text(put(key)) }))
      .filter(({ name, key, text, count }) => {
        const masked = put(`[REDACTED:${name.split(" ")[0]}]`);
        return remains(key, text).length > 0 || text !== masked || count !== 1;
      });
    expect(shown).toEqual([]);
  });

  it("hides the secret behind each of the names that people give to secrets", () => {
    const shown = named
      .map(([context, secret, label]) => ({ context, secret, label, ...redactor.text(context) }))
      .filter(
        ({ secret, label, text, count }) =>
          remains(secret, text).length > 0 || !text.includes(`[REDACTED:${label}]`) || count === 0,
      );
    expect(shown).toEqual([]);
  });

  it("keeps what is around a secret", () => {
    expect(redactor.text(`login user=bob password=${word} failed`).text).toBe(
      "login user=bob password=[REDACTED:PASSWORD] failed",
    );
    expect(redactor.text(`Authorization: Bearer ${word}\r\nAccept: */*`).text).toBe(
      "Authorization: Bearer [REDACTED:AUTHORIZATION]\r\nAccept: */*",
    );
    expect(redactor.text(`a\n${pem("RSA ")}\nb`).text).toBe("a\n[REDACTED:PRIVATE_KEY]\nb");
  });

  it("keeps the sentence behind a key that was cut short", () => {
    const cut = `-----BEGIN PRIVATE KEY-----\n${body}\nThen the server went away.`;
    expect(redactor.text(cut).text).toBe("[REDACTED:PRIVATE_KEY]\nThen the server went away.");
  });

  it("masks each of several secrets and counts them", () => {
    const { count } = redactor.text(`password=${word} token=${word} ${providerKeys["NPM_TOKEN"] ?? ""}`);
    expect(count).toBe(3);
  });

  it("leaves a mask alone, whatever name is before it", () => {
    const masked = 'password=[REDACTED:PASSWORD] "token":"[REDACTED:TOKEN]" postgres://a:[REDACTED:X]@h';
    expect(redactor.text(masked)).toEqual({ text: masked, count: 0 });
  });

  it("hides what is glued to a mask under a secret name", () => {
    expect(redactor.text(`password=[REDACTED:X]${word}`).text).toBe("password=[REDACTED:PASSWORD]");
  });
});

describe("createRedactor options", () => {
  it("lets allowed secrets stay, by string and by pattern", () => {
    const key = providerKeys["NPM_TOKEN"] ?? "";
    expect(createRedactor({ allow: [key] }).text(`use ${key}`).count).toBe(0);
    expect(createRedactor({ allow: [/^npm_/g] }).text(`use ${key} and ${key}`).count).toBe(0);
    expect(createRedactor({ allow: ["public"] }).json({ token: "public" }).count).toBe(0);
  });

  it("masks the caller's own patterns, with the label in capitals", () => {
    const own = createRedactor({ patterns: [{ label: "Badge no.", pattern: /\bB-\d{4}\b/ }] });
    expect(own.text("B-1234, B-9999 and B-1")).toEqual({
      text: "[REDACTED:BADGE_NO_], [REDACTED:BADGE_NO_] and B-1",
      count: 2,
    });
  });

  it("never lets a caller's pattern reach into a mask", () => {
    const own = createRedactor({ patterns: [{ label: "caps", pattern: /[A-Z]{4,}/ }] });
    expect(own.text("[REDACTED:TOKEN] ABCD").text).toBe("[REDACTED:TOKEN] [REDACTED:CAPS]");
    expect(own.text("x* y").count).toBe(0);
  });

  it("skips empty matches of a caller's pattern", () => {
    expect(createRedactor({ patterns: [{ label: "x", pattern: /q*/ }] }).text("abc").count).toBe(0);
  });
});
