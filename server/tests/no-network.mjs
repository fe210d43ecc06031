/**
 * Preloaded into a process that must ask nothing of a network: what it tries is refused, and noted in the file
 * OUTBOUND_NOTES.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const refuse = (what) => {
  appendFileSync(process.env.OUTBOUND_NOTES, `${what}\n`);
  throw new Error(`${what}: there is no network here`);
};

net.Socket.prototype.connect = (...args) => refuse(`connect ${JSON.stringify(args)}`);
dgram.Socket.prototype.send = () => refuse('send');
dgram.Socket.prototype.connect = () => refuse('connect a datagram socket');
const { lookup } = dns;
// Listening on an address looks it up, and asks nobody.
dns.lookup = (name, ...rest) => (net.isIP(name) ? lookup(name, ...rest) : refuse(`look up ${name}`));
for (const name of Object.keys(dns)) if (name.startsWith('resolve')) dns[name] = () => refuse(`${name} a name`);
for (const name of Object.keys(dns.promises))
  if (/^(resolve|lookup)/.test(name)) dns.promises[name] = () => refuse(`${name} a name`);
syncBuiltinESMExports();
