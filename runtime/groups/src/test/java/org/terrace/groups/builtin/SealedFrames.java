package org.terrace.groups.builtin;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.groups.GroupKeys;

/**
 * The production code that seals frames and checks them, for a group whose network is simulated.
 * Confined to the thread of its simulation.
 */
public final class SealedFrames {
  private static final long GROUP = Frame.groupNumber("simulated");
  private static final int ROOM_BYTES = 128;
  private static final InetSocketAddress SOURCE = InetSocketAddress.createUnresolved("any", 1);

  private final long self;
  private final Authenticator sealer;
  private final Authenticator opener;
  private final Traffic traffic = new Traffic();
  private final Inbox inbox;
  private long sent;

  /** Of the member with that identity; genuine, fresh frames go to the sink. */
  public SealedFrames(long self, Optional<GroupKeys> keys, Consumer<byte[]> sink) {
    this.self = self;
    this.sealer = new Authenticator(keys);
    this.inbox =
        new Inbox(
            GROUP,
            self,
            keys,
            traffic,
            (frame, payload, source) -> {
              byte[] bytes = new byte[payload.remaining()];
              payload.get(bytes);
              sink.accept(bytes);
            });
    this.opener = inbox.newAuthenticator();
  }

  /** The datagram that carries the payload. */
  public byte[] seal(byte[] payload) {
    return seal(new Frame(1, GROUP, self, Frame.ANYBODY, ++sent), payload, sealer);
  }

  private static byte[] seal(Frame frame, byte[] payload, Authenticator sealer) {
    ByteBuffer datagram = ByteBuffer.allocate(payload.length + ROOM_BYTES);
    frame.encode(datagram);
    datagram.put(payload);
    sealer.seal(datagram);
    return bytesOf(datagram.flip());
  }

  /** Takes a datagram as it came. */
  public void take(byte[] datagram) {
    inbox.take(ByteBuffer.wrap(datagram.clone()), opener, SOURCE);
  }

  /** Datagrams that were not taken for genuine, or came before. */
  public long refused() {
    return traffic.forged.sum() + traffic.replayed.sum() + traffic.malformed.sum();
  }

  /**
   * A datagram as somebody without a key forges it: one byte of what it carries is another, and the
   * checksum of a group without keys fits.
   */
  public static byte[] forge(byte[] datagram, RandomGenerator random) {
    ByteBuffer in = ByteBuffer.wrap(datagram.clone());
    in.limit(Math.max(Frame.BYTES, in.limit() - Integer.BYTES));
    Frame frame = Frame.decode(in);
    byte[] payload = bytesOf(in);
    if (payload.length > 0) {
      payload[random.nextInt(payload.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return seal(frame, payload, new Authenticator(Optional.empty()));
  }

  private static byte[] bytesOf(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }
}
