package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkServer;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Seeds;

/** A naming process whose disk takes its time with each promise. */
@Tag("real-processes")
class SlowDiskTest {
  private static final long SEED = 1;
  private static final long LIMIT_MILLIS = 60_000;

  /** Of one answer; a change needs four, and two once the age is entered. */
  private static final long DISK_MILLIS = 170;

  private final NamingMember member = new NamingMember(StoredNames.fresh(1), 0, 1);

  @Test
  void aChangeGoesThroughThoughItsAnswersTogetherTakeLongerThanOneMay() throws Exception {
    Registration wanted =
        new Registration(
            new ServiceReference(
                "seats",
                Style.WARM_PASSIVE,
                1,
                1,
                List.of(new Endpoint("seats-1", "terrace", "127.63.7.9", 7_000, ""))),
            1,
            1);
    InetSocketAddress anywhere = new InetSocketAddress("127.63.7.4", 0);
    try (ScheduledExecutorService disk = Executors.newSingleThreadScheduledExecutor();
        LinkServer naming =
            LinkServer.open(anywhere, ControlSecret.none(), socket -> serve(socket, disk));
        Registrar registrar =
            new Registrar(
                List.of(naming.address()),
                ControlSecret.none(),
                Seeds.generator(SEED),
                List.of(),
                value -> {})) {
      assertThat(registrar.change(wanted, LIMIT_MILLIS))
          .isEqualTo(new Registrar.Result.Present(wanted));
    }
  }

  private void serve(Socket socket, ScheduledExecutorService disk) throws IOException {
    try (Link link = Link.accept(socket, ControlSecret.none())) {
      while (true) {
        NamingMessage question = NamingCodec.decode(link.receive());
        NamingMessage answer = answer(question);
        if (answer != null) {
          byte[] frame = NamingCodec.encode(answer);
          Future<?> written =
              disk.schedule(() -> link.send(frame), DISK_MILLIS, TimeUnit.MILLISECONDS);
          assert !written.isCancelled();
        }
      }
    }
  }

  private synchronized NamingMessage answer(NamingMessage question) {
    return question instanceof NamingMessage.Learn || question instanceof NamingMessage.Watch
        ? null
        : member.step(question);
  }
}
