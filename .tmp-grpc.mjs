import * as grpc from "@grpc/grpc-js"; import {readFileSync} from "node:fs";
const out=JSON.parse(readFileSync("/tmp/node-out.json","utf8").split("\n")[0]); const mode=process.argv[2]; const n=Number(process.argv[3]??4000);
import http from "node:http"; const agent=new http.Agent({keepAlive:true,maxSockets:16});
const c=new grpc.Client(out.endpoints.grpcHost,grpc.credentials.createInsecure());
const ask=()=>new Promise((r,j)=>c.makeUnaryRequest("/cosmos.staking.v1beta1.Query/Validators",b=>b,b=>b,Buffer.alloc(0),(e,a)=>e?j(e):r(a)));
const post=(url,body)=>new Promise((r,j)=>{const q=http.request(url,{agent,method:body?"POST":"GET",headers:{"content-type":"application/json"}},s=>{let t="";s.on("data",d=>t+=d);s.on("end",()=>r(t))});q.on("error",j);q.end(body)});
const tasks={grpc:ask,rest:()=>post(out.endpoints.restUrl+"/cosmos/staking/v1beta1/validators"),call:()=>post(out.endpoints.evmUrl,JSON.stringify({jsonrpc:"2.0",id:1,method:"eth_call",params:[{to:"0x00000000000000000000000000000000000000aa"},"latest"]}))};
const cpuOf=()=>{const st=readFileSync(`/proc/${process.argv[4]}/stat`,"utf8").split(" ");return (Number(st[13])+Number(st[14]))*10};
for(const m of mode.split(",")){ const t=performance.now(),c0=cpuOf(),u0=process.cpuUsage(); let left=n; await Promise.all(Array.from({length:16},async()=>{while(left-->0) await tasks[m]();}));
 const u=process.cpuUsage(u0); console.log(m,"us/req wall",((performance.now()-t)*1000/n).toFixed(0),"server cpu",((cpuOf()-c0)*1000/n).toFixed(0),"client cpu",((u.user+u.system)/n).toFixed(0));}
c.close(); agent.destroy();
