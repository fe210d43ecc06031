// Thrift's compact protocol, as far as Parquet's metadata uses it. A structure that is read and written stays the same.
import { assert } from '../failure.ts';

/** A structure: values by field number. Each value keeps the type with which it was written. */
export type Struct = Map<number, Value>;
export type Value =
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'byte'; readonly value: number }
  | { readonly type: 'i16' | 'i32' | 'i64'; readonly value: bigint }
  | { readonly type: 'double' | 'binary'; readonly value: Buffer }
  | { readonly type: 'list' | 'set'; readonly of: number; readonly items: Value[] }
  | { readonly type: 'struct'; readonly fields: Struct };

const isTrue = 1;
const isFalse = 2;
const codes = { byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, set: 10, struct: 12 } as const;
/** No metadata of Parquet nests deeper. */
const depthMax = 32;

/** Reads the structure that starts at the first byte. Throws when the bytes are no structure. */
export function readStruct(bytes: Buffer): Struct {
  let at = 0;
  const byte = (): number => {
    assert(at < bytes.length, 'a structure ends within its bytes');
    return bytes[at++];
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    throw new Error('assertion failed: a number has at most ten bytes');
  };
  const integer = (): bigint => {
    const zigzag = varint();
    return (zigzag >> 1n) ^ -(zigzag & 1n);
  };
  const take = (length: number): Buffer => {
    assert(at + length <= bytes.length, 'a text ends within its bytes');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const value = (code: number, depth: number): Value => {
    assert(depth <= depthMax, 'structures are not that deep');
    switch (code) {
      case isTrue:
      case isFalse:
        return { type: 'boolean', value: code === isTrue };
      case codes.byte:
        return { type: 'byte', value: byte() };
      case codes.i16:
        return { type: 'i16', value: integer() };
      case codes.i32:
        return { type: 'i32', value: integer() };
      case codes.i64:
        return { type: 'i64', value: integer() };
      case codes.double:
        return { type: 'double', value: take(8) };
      case codes.binary:
        return { type: 'binary', value: take(Number(varint())) };
      case codes.list:
      case codes.set: {
        const head = byte();
        const size = head >> 4 === 15 ? Number(varint()) : head >> 4;
        const of = head & 15;
        const items: Value[] = [];
        // In a list, a boolean takes a byte of its own.
        for (let i = 0; i < size; i++) items.push(value(of === isFalse || of === isTrue ? byte() : of, depth + 1));
        return { type: code === codes.list ? 'list' : 'set', of, items };
      }
      case codes.struct:
        return { type: 'struct', fields: struct(depth + 1) };
      default:
        throw new Error(`assertion failed: ${code} is a type of Thrift`);
    }
  };
  const struct = (depth: number): Struct => {
    const fields: Struct = new Map();
    let id = 0;
    for (;;) {
      const head = byte();
      if (head === 0) return fields;
      id = head >> 4 === 0 ? Number(integer()) : id + (head >> 4);
      fields.set(id, value(head & 15, depth));
    }
  };
  return struct(0);
}

/** Writes a structure, with its fields in the order of the map. */
export function writeStruct(fields: Struct): Buffer {
  const pieces: Buffer[] = [];
  let pending: number[] = [];
  const flush = (): void => {
    if (pending.length > 0) pieces.push(Buffer.from(pending));
    pending = [];
  };
  const varint = (value: bigint): void => {
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) pending.push(Number(rest & 0x7fn) | 0x80);
    pending.push(Number(rest));
  };
  const integer = (value: bigint): void => varint(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
  const body = (value: Value): void => {
    switch (value.type) {
      case 'boolean':
        return;
      case 'byte':
        pending.push(value.value);
        return;
      case 'i16':
      case 'i32':
      case 'i64':
        integer(value.value);
        return;
      case 'double':
      case 'binary':
        if (value.type === 'binary') varint(BigInt(value.value.length));
        flush();
        pieces.push(value.value);
        return;
      case 'list':
      case 'set':
        if (value.items.length < 15) pending.push((value.items.length << 4) | value.of);
        else {
          pending.push(0xf0 | value.of);
          varint(BigInt(value.items.length));
        }
        for (const item of value.items) {
          if (item.type === 'boolean') pending.push(item.value ? isTrue : isFalse);
          else body(item);
        }
        return;
      case 'struct':
        struct(value.fields);
    }
  };
  const struct = (all: Struct): void => {
    let last = 0;
    for (const [id, value] of all) {
      const code = value.type === 'boolean' ? (value.value ? isTrue : isFalse) : codes[value.type];
      if (id > last && id - last <= 15) pending.push(((id - last) << 4) | code);
      else {
        pending.push(code);
        integer(BigInt(id));
      }
      last = id;
      body(value);
    }
    pending.push(0);
  };
  struct(fields);
  flush();
  return Buffer.concat(pieces);
}
