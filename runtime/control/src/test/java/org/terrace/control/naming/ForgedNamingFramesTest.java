package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.link.ForgedFrames;
import org.terrace.control.link.Link;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

/** A naming process refuses and counts what is no question for it, and goes on. */
@Tag("real-processes")
@Tag("untimed")
class ForgedNamingFramesTest {
  private static final int FRAMES = 2_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir private Path directory;
  private NamingServer server;

  @BeforeEach
  void open() {
    server = NamingServer.open(new InetSocketAddress("127.63.3.3", 0), List.of(), directory);
  }

  @AfterEach
  void stillAnswersAndClose() throws IOException {
    try (NamingServer opened = server;
        Link link = Link.connect(opened.address(), PATIENCE, ControlSecret.none())) {
      link.send(NamingCodec.encode(new NamingMessage.Resolve(7, "nobody")));
      assertThat(NamingCodec.decode(link.receive())).isEqualTo(new NamingMessage.Resolved(7, null));
    }
  }

  @Test
  void forgedFramesAreRefusedAndCountedOneByOne() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("forgedFramesAreRefusedAndCounted"));
    ForgedFrames forged =
        new ForgedFrames(
            random,
            List.of(
                NamingCodec.encode(new NamingMessage.Prepare(1, "echo", new Ballot(3, 4))),
                NamingCodec.encode(new NamingMessage.Resolve(2, "echo")),
                NamingCodec.encode(new NamingMessage.ListAll(3, "")),
                NamingCodec.encode(new NamingMessage.Watch("echo"))));
    long refused = 0;
    for (int i = 0; i < FRAMES; i++) {
      byte[] body = forged.next();
      refused += isQuestion(body) ? 0 : 1;
      ForgedFrames.sendAndAwaitEnd(server.address(), ForgedFrames.frame(body));
    }

    assertThat(refused).isGreaterThan(FRAMES / 4);
    assertRefused(refused);
  }

  /** A frame is counted when its connection has been closed. */
  private void assertRefused(long expected) {
    Await.until(PATIENCE, () -> server.malformedFrames() >= expected);
    assertThat(server.malformedFrames()).isEqualTo(expected);
  }

  private static boolean isQuestion(byte[] body) {
    try {
      return switch (NamingCodec.decode(body)) {
        case NamingMessage.Prepare _,
            NamingMessage.Accept _,
            NamingMessage.Resolve _,
            NamingMessage.ListAll _,
            NamingMessage.Watch _,
            NamingMessage.Stand _,
            NamingMessage.Enter _,
            NamingMessage.Learn _ ->
            true;
        case NamingMessage.Promised _,
            NamingMessage.Accepted _,
            NamingMessage.Refused _,
            NamingMessage.Resolved _,
            NamingMessage.Listed _,
            NamingMessage.Standing _,
            NamingMessage.Entered _ ->
            false;
      };
    } catch (MalformedDataException e) {
      return false;
    }
  }

  @Test
  void framesThatAreTooLongOrNegativeAreRefusedAndCountedUnread() throws IOException {
    int[] lengths = {Link.FRAME_BYTES_MAX + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE};
    for (int length : lengths) {
      ForgedFrames.sendAndAwaitEnd(server.address(), ForgedFrames.head(length));
    }

    assertRefused(lengths.length);
  }

  @Test
  void answersThatNobodyAskedForAreRefusedAndCounted() throws IOException {
    List<NamingMessage> answers =
        List.of(
            new NamingMessage.Promised(1, Ballot.NONE, null),
            new NamingMessage.Accepted(1),
            new NamingMessage.Refused(1, Ballot.NONE),
            new NamingMessage.Resolved(1, null),
            new NamingMessage.Entered(1, 2, 3),
            new NamingMessage.Listed(1, List.of(), ""));
    for (NamingMessage answer : answers) {
      ForgedFrames.sendAndAwaitEnd(
          server.address(), ForgedFrames.frame(NamingCodec.encode(answer)));
    }

    assertRefused(answers.size());
  }

  @Test
  void aNoticeOfWhatThisProcessDidNotAcceptIsNotBelieved() throws IOException {
    Registration forged = registration(Long.MAX_VALUE);
    Registration real = registration(1);
    try (Link link = Link.connect(server.address(), PATIENCE, ControlSecret.none())) {
      link.send(NamingCodec.encode(new NamingMessage.Learn(forged)));
      assertThat(ask(link, new NamingMessage.Resolve(1, "seats")))
          .isEqualTo(new NamingMessage.Resolved(1, null));

      assertThat(ask(link, new NamingMessage.Accept(2, "seats", new Ballot(1, 1), real)))
          .isEqualTo(new NamingMessage.Accepted(2));
      link.send(NamingCodec.encode(new NamingMessage.Learn(real)));
      link.send(NamingCodec.encode(new NamingMessage.Learn(forged)));
      assertThat(ask(link, new NamingMessage.Resolve(3, "seats")))
          .isEqualTo(new NamingMessage.Resolved(3, real));
    }
  }

  private static NamingMessage ask(Link link, NamingMessage question) throws IOException {
    link.send(NamingCodec.encode(question));
    return NamingCodec.decode(link.receive());
  }

  private static Registration registration(long version) {
    Endpoint endpoint = new Endpoint("seats-1-1", "terrace", "127.63.3.4", 7_000, "");
    return new Registration(
        new ServiceReference("seats", Style.WARM_PASSIVE, 1, version, List.of(endpoint)), 1, 2);
  }

  @Test
  void aFrameThatEndsEarlyIsTheEndOfAConnectionAndNothingElse() throws IOException {
    ForgedFrames.sendAndAwaitEnd(server.address(), new byte[] {0, 0});
    ForgedFrames.sendAndAwaitEnd(server.address(), ForgedFrames.head(100));

    assertThat(server.malformedFrames()).isZero();
  }
}
