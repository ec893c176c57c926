import { Client as C24, StreamableHTTPClientTransport as H24 } from "@modelcontextprotocol/client";
import { StdioClientTransport as S24 } from "@modelcontextprotocol/client/stdio";
import { Client as C132 } from "mcp-sdk-1-32/client/index.js";
import { StdioClientTransport as S132 } from "mcp-sdk-1-32/client/stdio.js";
import { StreamableHTTPClientTransport as H132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { writeFileSync } from "node:fs";
import { createGateway } from "../src/doors/gateway/create-gateway.ts";
const server = {command:process.execPath,args:["--import","tsx",new URL("journeys/pid-server.fixture.ts",import.meta.url).pathname]};
writeFileSync("/tmp/sse-keep/on.json", JSON.stringify({upstreams:{silent:server}}));
writeFileSync("/tmp/sse-keep/off.json", JSON.stringify({upstreams:{silent:{...server,progress_every_ms:"off"}}}));
const g = createGateway({upstreams:{silent:server as any,off:{...server,progressEveryMs:"off"} as any},http:{port:0},store:"memory",logLevel:"silent"});
const {urls} = await g.listen();
const far = createGateway({upstreams:{silent:{url:urls.off!}},http:{port:0},store:"memory",logLevel:"silent"});
const farUrls = (await far.listen()).urls;
const stdio=(S:any,f:string)=>new S({command:process.execPath,args:["--import","tsx",new URL("../src/cli/main.ts",import.meta.url).pathname,"gateway","--config",`/tmp/sse-keep/${f}.json`],stderr:"ignore"});
const v2=(mode:string)=>new C24({name:"p",version:"1"},{versionNegotiation:{mode:mode as any}});
const v1=()=>new C132({name:"p",version:"1"}) as any;
const runs:[string,any,any][]=[
 ["v2 modern, command over HTTP",v2("auto"),new H24(new URL(urls.silent!))],
 ["v2 legacy, command over HTTP",v2("legacy"),new H24(new URL(urls.silent!))],
 ["v1, command over HTTP",v1(),new H132(new URL(urls.silent!))],
 ["v2 modern, URL over HTTP",v2("auto"),new H24(new URL(farUrls.silent!))],
 ["v1, URL over HTTP",v1(),new H132(new URL(farUrls.silent!))],
 ["v2 modern, command on stdio",v2("auto"),stdio(S24,"on")],
 ["v1, command on stdio",v1(),stdio(S132,"on")],
 ["v2 modern, command over HTTP, off",v2("auto"),new H24(new URL(urls.off!))],
 ["v1, command on stdio, off",v1(),stdio(S132,"off")],
];
await Promise.all(runs.map(async ([name,c,t])=>{
  await c.connect(t);
  const said:string[]=[]; const o={resetTimeoutOnProgress:true,onprogress:(p:any)=>said.push(`${p.progress} ${p.message}`)};
  const call={name:"echo",arguments:{text:"awake",ms:90_000}}; const t0=performance.now();
  try { const r=await (name.startsWith("v1")?c.callTool(call,undefined,o):c.callTool(call,o)); console.log(`${name}: ${Math.round((performance.now()-t0)/1000)} s: ${r.content[0].text}; ${said.join(", ")}`);}
  catch(e){console.log(`${name}: ${Math.round((performance.now()-t0)/1000)} s: ${String(e)}; ${said.length} progress`)}
  await c.close();
}));
await far.close(); await g.close();
