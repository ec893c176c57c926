import { describe, expect, it } from "vitest";
import { noise } from "./planted-secrets.fixture.ts";
import { createRedactor } from "./redact/redact-secrets.ts";

const redactor = createRedactor();
const word = `hunter2${noise(6)}`;
const signature = `${noise(20)}+${noise(11)}/${noise(10)}`;
const encoded = encodeURIComponent(`${signature}=`);

const placed: readonly (readonly [context: string, secret: string, masked: string])[] = [
  [`https://x.blob.core.windows.net/c?sv=2024-11-04&sig=${encoded}&se=2027`, encoded, "AZURE_SAS"],
  [`?sig=${signature}=&sv=1`, signature, "AZURE_SAS"],
  [`SharedAccessSignature=sr=b&sig=${encoded}`, encoded, "AZURE_SAS"],
  [JSON.stringify({ url: `https://x/?a=1&sig=${encoded}` }), encoded, "AZURE_SAS"],
  [`"https:\\/\\/x\\/?a=1\\u0026sig=${encoded}"`, encoded, "AZURE_SAS"],
  [`next=%2Fx%3Fa%3D1%26sig%3D${encodeURIComponent(encoded)}%26b%3D2`, noise(20), "AZURE_SAS"],
  [`https://prod-1.westus.logic.azure.com/workflows/x?sig=${noise(43)}`, noise(43), "AZURE_SAS"],
  [`_gitlab_session=${noise(32, "0123456789abcdef")}`, noise(32, "0123456789abcdef"), "GITLAB_TOKEN"],
  [`{"refresh_url":"1\\/\\/0g${noise(98)}"}`, noise(98), "GOOGLE_KEY"],
  [`machine db.example.com login bob password ${word}`, word, "PASSWORD"],
  [`machine db.example.com\n  login bob\n  password letmein\n`, "letmein", "PASSWORD"],
  [`machine db.example.com\n\tlogin bob\n\taccount x\n\tpassword ${word}\nmachine other`, word, "PASSWORD"],
  [`machine db.example.com password ${word} login bob`, word, "PASSWORD"],
  [`default login anonymous password ${word}`, word, "PASSWORD"],
  [JSON.stringify(`machine a\n login b\n password ${word}\n`), word, "PASSWORD"],
  [`<input type="password" value="${word}">`, word, "PASSWORD"],
  [`<input value='${word}' name="x" type='password'/>`, word, "PASSWORD"],
  [`<INPUT TYPE=password VALUE=${word}>`, word, "PASSWORD"],
  [`<input id="p" type="password" class="a b" value="two words 3" disabled>`, "two words 3", "PASSWORD"],
  [JSON.stringify(`<input type="password" value="${word}">`), word, "PASSWORD"],
  [`"\\u003cinput value=\\"${word}\\" type=\\"password\\"\\u003e"`, word, "PASSWORD"],
  [`<input type="hidden" name="api_key" value="${word}">`, word, "API_KEY"],
  [`<add key="ClearTextPassword" value="${word}" />`, word, "PASSWORD"],
  [`password: \${DB_PASSWORD:-${word}}`, word, "PASSWORD"],
  [`{"password":"\${DB_PASSWORD:-${word}}"}`, word, "PASSWORD"],
  [`password=changeme`, "changeme", "PASSWORD"],
];

describe("createRedactor().text", () => {
  it.each(placed)("hides the secret of %j", (context, secret, label) => {
    const { text, count } = redactor.text(context);
    expect(text).not.toContain(secret.slice(0, 7));
    expect(text).toContain(`[REDACTED:${label}]`);
    expect(count).toBe(1);
    expect(redactor.text(text).count).toBe(0);
  });

  it("keeps what is around them", () => {
    const around = (text: string) => redactor.text(text).text;
    expect(around(`https://x/c?sig=${encoded}&se=2027-01-01`)).toBe(
      "https://x/c?sig=[REDACTED:AZURE_SAS]&se=2027-01-01",
    );
    expect(around(`machine a login b password ${word}\nmachine c`)).toBe(
      "machine a login b password [REDACTED:PASSWORD]\nmachine c",
    );
    expect(around(`<input type="password" value="${word}" id="p">`)).toBe(
      '<input type="password" value="[REDACTED:PASSWORD]" id="p">',
    );
  });
});

describe("what is in the place of a secret", () => {
  it.each([
    "string",
    "Uint8Array",
    "string | null",
    "integer",
    "*****",
    "••••••••",
    "xxxxxxxx",
    "<your-password>",
    "<YOUR_API_KEY>",
    "${PASSWORD}",
    "${{ secrets.DB_PASSWORD }}",
    "{{ db_password }}",
    "%DB_PASSWORD%",
    "$DB_PASSWORD",
    "process.env.DB_PASSWORD",
    "your-password-here",
    "[FILTERED]",
  ])("%s stays, in JSON as a value and as a text", (value) => {
    const node = { password: value, apiKey: value, list: { token: [value] } };
    expect(redactor.json(node)).toEqual({ value: node, count: 0 });
    const text = JSON.stringify(node);
    expect(redactor.text(text)).toEqual({ text, count: 0 });
  });

  it.each([
    "password: Uint8Array",
    "password: Uint8Array;",
    "password: string;",
    "password?: Uint8Array | undefined, token: OAuth2Token",
    "key: [u8; 32], secret: [u8; 32], password: &[u8]",
    "password: Base64String, token: int64",
    "Authorization: Bearer <token>",
    '{"Authorization":"Bearer <token>","Cookie":"<session cookie>"}',
    '<input type="password" value="">, <input type="password" value="********">',
    '<input type="password" name="password" value="Password"> <input type="text" value="bob1234">',
    '<input type=\'password\' value={password} /> <label for="password">value="Hello123"</label>',
    "This machine needs a login and a password reset.",
    "the default login page, password field and login name password rules",
    "?sig=abc123&sig=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 design=" + noise(43),
    "secret_name secret_key_base secret_access API-KEY API-VERSION key-value access_token$ sl.no t1.micro",
    "servicio precioso, precio: 12, ico-sync, tk-us-1, A3-sheet, A3-2024-10, B-us2, -us1, en-us",
    "1//0.5 // 1//0 http://x//0 pat.test sat.monday sk.json phc_x vcp_x dnkey- p8e-1 EAAC cfk_1 fio-u-",
  ])("leaves %s", (text) => {
    expect(redactor.text(text)).toEqual({ text, count: 0 });
    expect(redactor.json({ note: text }).count).toBe(0);
  });

  it.each(["changeme", "hunter2", "$ecret1", "<h4x0r!>", "string1", "Summer2024", "any words at all"])(
    "%s is masked under a secret's name all the same",
    (value) => {
      expect(redactor.json({ password: value }).value).toEqual({ password: "[REDACTED:PASSWORD]" });
    },
  );

  it("a field's type names its value in JSON", () => {
    expect(
      redactor.json([
        { type: "password", value: word },
        { type: "token", value: "if" },
      ]).value,
    ).toEqual([
      { type: "password", value: "[REDACTED:PASSWORD]" },
      { type: "token", value: "if" },
    ]);
  });
});
