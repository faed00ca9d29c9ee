package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.link.ForgedFrames;
import org.terrace.control.link.Link;
import org.terrace.control.naming.Addresses;
import org.terrace.control.naming.NamingProcess;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

/** A manager refuses and counts what is no message for it, at both of its doors, and goes on. */
@Tag("real-processes")
@Tag("untimed")
class ForgedManagerFramesTest {
  private static final int MESSAGES = 500;
  private static final Pattern REFUSED = Pattern.compile("\"refused\":(\\d+)");
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir private Path directory;
  private final Processes processes = new Processes();
  private InetSocketAddress agents;
  private InetSocketAddress people;

  @BeforeEach
  void start() throws Exception {
    String naming =
        processes.start(
            "naming",
            Processes.java(
                NamingProcess.class,
                "--listen",
                "127.63.4.1:0",
                "--directory",
                directory.resolve("names").toString()),
            directory.resolve("naming.log"));
    agents =
        Addresses.parseOne(
            "manager",
            processes.start(
                "manager",
                Processes.java(
                    ManagerProcess.class,
                    "--managers",
                    "127.63.4.2:0",
                    "--naming",
                    naming,
                    "--service",
                    "nothing",
                    "--degree",
                    "0",
                    "--directory",
                    directory.resolve("replicas").toString(),
                    "--command",
                    "false {name}"),
                directory.resolve("manager.log")));
    people = processes.admin();
  }

  @AfterEach
  void stillAnswersAndEnd() throws Exception {
    assertThat(processes.ask("services")).startsWith("{\"format\":\"terrace-services/1\"");
    assertThat(processes.named("manager").isAlive()).isTrue();
    processes.close();
  }

  private long refused() {
    try {
      Matcher matcher = REFUSED.matcher(processes.ask("services"));
      return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the manager leads by now, and sends the question back for what it names. */
  private boolean isKnown(String question) {
    try {
      return processes.ask(question).contains("no service is named somebody");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertRefused(long expected) {
    Await.until(LIMIT, () -> refused() >= expected);
    assertThat(refused()).isEqualTo(expected);
  }

  @Test
  void forgedFramesOfReplicasAndManagersAreRefusedAndCounted() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("forgedFramesOfReplicasAndManagers"));
    ForgedFrames forged =
        new ForgedFrames(
            random,
            List.of(
                ManagerMessage.encode(
                    new ManagerMessage.ReplicaHello(
                        "unknown", new Endpoint("a", "terrace", "127.63.4.3", 1, ""), 1)),
                ManagerMessage.encode(new ManagerMessage.PeerHello("manager9")),
                ManagerMessage.encode(new ManagerMessage.Beat(1))));
    long refused = 0;
    for (int i = 0; i < MESSAGES; i++) {
      byte[] body = forged.next();
      refused += isMessage(body) ? 0 : 1;
      ForgedFrames.sendAndAwaitEnd(agents, ForgedFrames.frame(body));
    }

    assertThat(refused).isGreaterThan(MESSAGES / 4);
    assertRefused(refused);
  }

  private static boolean isMessage(byte[] body) {
    try {
      return switch (ManagerMessage.decode(body)) {
        case ManagerMessage.ReplicaHello _,
            ManagerMessage.Starting _,
            ManagerMessage.PeerHello _,
            ManagerMessage.Beat _,
            ManagerMessage.Drained _ ->
            true;
        case ManagerMessage.Assigned _, ManagerMessage.Drain _ -> false;
      };
    } catch (MalformedDataException e) {
      return false;
    }
  }

  @Test
  void framesTooLongNamelessReplicasAndOrdersToAManagerAreRefusedAndCounted() throws IOException {
    ServiceReference reference =
        new ServiceReference("nothing", Style.WARM_PASSIVE, 9, 9, List.of());
    Endpoint nameless = new Endpoint("", "terrace", "127.63.4.3", 1, "");
    Endpoint named = new Endpoint("a", "terrace", "127.63.4.3", 1, "");
    List<ManagerMessage> wrong =
        List.of(
            new ManagerMessage.Assigned(reference),
            new ManagerMessage.Drain(),
            new ManagerMessage.ReplicaHello("nothing", nameless, 1),
            new ManagerMessage.ReplicaHello("nothing", named, 0),
            new ManagerMessage.Beat(Long.MAX_VALUE),
            new ManagerMessage.Beat(-1));
    for (ManagerMessage message : wrong) {
      ForgedFrames.sendAndAwaitEnd(agents, ForgedFrames.frame(ManagerMessage.encode(message)));
    }
    ForgedFrames.sendAndAwaitEnd(agents, ForgedFrames.head(Link.FRAME_BYTES_MAX + 1));
    ForgedFrames.sendAndAwaitEnd(agents, ForgedFrames.head(-1));

    assertRefused(wrong.size() + 2);
  }

  @Test
  void linesThatAreNoQuestionAreRefusedAndCounted() throws IOException {
    List<String> wrong =
        List.of("GET / HTTP/1.1", "drain", "kill nothing", "add", "services now", "\u0000\u0007");
    for (String line : wrong) {
      assertThat(processes.ask(line)).startsWith("{\"error\":\"expected 'services'");
    }
    byte[] endless = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    ForgedFrames.sendAndAwaitEnd(people, endless);
    RandomGenerator random = Seeds.generator(Seeds.next("linesThatAreNoQuestion"));
    byte[] noise = new byte[512];
    random.nextBytes(noise);
    ForgedFrames.sendAndAwaitEnd(people, noise);

    assertThat(refused()).isGreaterThan(wrong.size());
    assertThat(Await.until(LIMIT, () -> isKnown("kill somebody else"))).isTrue();
  }
}
