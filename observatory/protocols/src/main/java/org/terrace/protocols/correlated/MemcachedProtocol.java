package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.server.ServerRole;
import org.terrace.wire.bytes.Bytes;

/** Memcached's binary protocol, recognised by the headers of requests and answers. Stateless. */
public final class MemcachedProtocol implements Protocol {
  private static final int HEADER_BYTES = 24;
  private static final int TELLING_BYTES = 6;

  @Override
  public String name() {
    return "Memcached";
  }

  @Override
  public ServerRole role() {
    return ServerRole.CACHE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (!MemcachedFormat.isSound(MemcachedFormat.REQUEST, bytes, from, to)) {
      return Match.NO;
    }
    return to - from < TELLING_BYTES ? Match.MORE : Match.YES;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (isMessage(true, bytes, from, to)) {
      return Side.CLIENT;
    }
    return isMessage(false, bytes, from, to) ? Side.SERVER : null;
  }

  private static boolean isMessage(boolean ofClient, byte[] bytes, int from, int to) {
    int magic = ofClient ? MemcachedFormat.REQUEST : MemcachedFormat.RESPONSE;
    return to - from >= HEADER_BYTES
        && MemcachedFormat.isSound(magic, bytes, from, to)
        && Bytes.u32(bytes, from + 8) >= Bytes.u16(bytes, from + 2) + Bytes.u8(bytes, from + 4)
        && Bytes.u32(bytes, from + 8) <= MemcachedFormat.LENGTH_MAX;
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    CorrelatedDecoder decoder =
        new CorrelatedDecoder(context, output, new MemcachedFormat(), MemcachedProtocol::isMessage);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
