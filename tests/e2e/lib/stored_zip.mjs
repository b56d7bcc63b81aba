// A zip whose members are not compressed: `files` are pairs of name and text.
export function storedZip(files) {
  const parts = [], entries = [];
  let offset = 0;
  for (const [name, text] of files) {
    const bytes = Buffer.from(text), path = Buffer.from(name);
    const fields = Buffer.alloc(26); // those that both headers have, from the needed version on
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crcOf(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, path, bytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, tail, path]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries), end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from("PK\x05\x06", "latin1"), end]);
}

function crcOf(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
