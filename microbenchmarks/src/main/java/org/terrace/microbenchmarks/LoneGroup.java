package org.terrace.microbenchmarks;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.terrace.groups.Group;
import org.terrace.groups.GroupCounters;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * A group of one member, without a network and without timers: what is multicast reaches everybody
 * else, who are none. So a benchmark times the replica and not the kernel. Thread-safe.
 */
final class LoneGroup implements Group {
  private static final String NAME = "alone";
  private static final int DATAGRAM_BYTES_MAX = 1_400;

  private final Member self =
      new Member(
          NAME,
          Member.idAt(NAME, 1_790_000_000_000_000_000L),
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  private final View view = new View(1, self, List.of(self), List.of());

  @Override
  public Member self() {
    return self;
  }

  @Override
  public View view() {
    return view;
  }

  @Override
  public int datagramBytesMax() {
    return DATAGRAM_BYTES_MAX;
  }

  @Override
  public void send(Member to, int channel, ByteBuffer message) {}

  @Override
  public void multicast(int channel, ByteBuffer message) {}

  @Override
  public void subscribe(int channel, MessageHandler handler) {}

  @Override
  public void watch(ViewHandler handler) {
    handler.changed(view);
  }

  @Override
  public void every(Duration period, Runnable task) {}

  @Override
  public GroupCounters counters() {
    return new GroupCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public void close() {}
}
