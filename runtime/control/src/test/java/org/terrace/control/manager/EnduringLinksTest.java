package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;

/** Links to managers that are made anew whatever their making met. */
@Tag("real-processes")
@Tag("untimed")
class EnduringLinksTest {
  private static final int PATIENCE_MILLIS = 30_000;

  private final AtomicInteger attempts = new AtomicInteger();

  /** The first attempt finds no memory, the others connect. */
  private ManagerContact to(ServerSocket door) {
    return timeout -> {
      if (attempts.incrementAndGet() == 1) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return Link.connect(
          new InetSocketAddress(door.getInetAddress(), door.getLocalPort()),
          Duration.ofMillis(PATIENCE_MILLIS),
          ControlSecret.none());
    };
  }

  private static ServerSocket door() throws IOException {
    ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    door.setSoTimeout(PATIENCE_MILLIS);
    return door;
  }

  private static ManagerMessage heard(ServerSocket door) throws IOException {
    try (Link link = Link.accept(door.accept(), ControlSecret.none())) {
      return ManagerMessage.decode(link.receive());
    }
  }

  @Test
  void theOtherManagerHearsOfThisOneAfterAnErrorToo() throws Exception {
    try (ServerSocket door = door();
        PeerLink link = new PeerLink(to(door), "the other", "this one")) {
      assertThat(heard(door)).isEqualTo(new ManagerMessage.PeerHello("this one"));
      assertThat(attempts).hasValueGreaterThan(1);
      assertThat(link).isNotNull();
    }
  }

  @Test
  void aManagerIsToldOfAStartAfterAnErrorToo() throws Exception {
    try (ServerSocket door = door();
        StartNotice notice = new StartNotice("seats-1", List.of(to(door)))) {
      assertThat(heard(door)).isEqualTo(new ManagerMessage.Starting("seats-1"));
      assertThat(attempts).hasValueGreaterThan(1);
      assertThat(notice).isNotNull();
    }
  }
}
