package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
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
import org.terrace.core.TerraceException;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** A naming process that has a secret takes part with nobody who does not have it. */
@Tag("real-processes")
@Tag("untimed")
class NamingSecretTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ControlSecret SECRET = secret("a secret of sixteen bytes or more");
  private static final ControlSecret ANOTHER = secret("some other secret, as long as that");
  private static final Ballot BALLOT = new Ballot(Ballot.COUNTER_MAX, 1);

  @TempDir private Path directory;
  private NamingServer server;

  private static ControlSecret secret(String text) {
    return ControlSecret.of(text.getBytes(StandardCharsets.US_ASCII));
  }

  @BeforeEach
  void open() {
    server =
        NamingServer.open(new InetSocketAddress("127.63.3.4", 0), List.of(), directory, SECRET);
  }

  @AfterEach
  void nothingWasPromisedOrAcceptedAndClose() throws IOException {
    try (NamingServer opened = server;
        Link link = Link.connect(opened.address(), PATIENCE, SECRET)) {
      assertThat(ask(link, new NamingMessage.Resolve(1, "seats")))
          .isEqualTo(new NamingMessage.Resolved(1, null));
      assertThat(ask(link, new NamingMessage.Prepare(2, "seats", new Ballot(1, 1))))
          .isEqualTo(new NamingMessage.Promised(2, Ballot.NONE, null));
    }
  }

  private static NamingMessage ask(Link link, NamingMessage question) throws IOException {
    link.send(NamingCodec.encode(question));
    return NamingCodec.decode(link.receive());
  }

  private static List<NamingMessage> forged() {
    Endpoint endpoint = new Endpoint("seats-1-1", "terrace", "127.63.3.5", 7_000, "");
    Registration value =
        new Registration(
            new ServiceReference("seats", Style.WARM_PASSIVE, 9, 9, List.of(endpoint)), 9, 1);
    return List.of(
        new NamingMessage.Prepare(1, "seats", BALLOT),
        new NamingMessage.Accept(2, "seats", BALLOT, value),
        new NamingMessage.Learn(value));
  }

  @Test
  void prepareAcceptAndLearnOfSomebodyWithoutASecretAreRefusedAndCounted() throws IOException {
    for (NamingMessage message : forged()) {
      ForgedFrames.sendAndAwaitEnd(
          server.address(), ForgedFrames.frame(NamingCodec.encode(message)));
    }

    assertRefused(forged().size());
  }

  @Test
  void anotherSecretIsRefusedBeforeAWordIsTaken() {
    assertThatThrownBy(() -> Link.connect(server.address(), PATIENCE, ANOTHER).close())
        .isInstanceOf(IOException.class);

    assertRefused(1);
  }

  @Test
  void whatWasRecordedOnOneConnectionIsRefusedOnAnother() throws Exception {
    byte[] recorded = recordAPrepare();
    assertThat(recorded.length).isGreaterThan(NamingCodec.encode(forged().getFirst()).length);

    ForgedFrames.sendAndAwaitEnd(server.address(), recorded);

    assertRefused(1);
    // What was recorded promised BALLOT, genuinely: a process that is new has promised nothing.
    server.close();
    server =
        NamingServer.open(
            new InetSocketAddress("127.63.3.4", 0), List.of(), directory.resolve("new"), SECRET);
  }

  /** The bytes that a client with the secret sends: its salt, its proof, a Prepare. */
  private byte[] recordAPrepare() throws Exception {
    ByteArrayOutputStream onward = new ByteArrayOutputStream();
    try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread relay = Thread.ofVirtual().start(() -> relay(door, onward));
      try (Link link =
          Link.connect(
              new InetSocketAddress(door.getInetAddress(), door.getLocalPort()),
              PATIENCE,
              SECRET)) {
        assertThat(ask(link, forged().getFirst())).isInstanceOf(NamingMessage.Promised.class);
      }
      relay.join();
    }
    return onward.toByteArray();
  }

  private void relay(ServerSocket door, ByteArrayOutputStream recorded) {
    try (Socket client = door.accept();
        Socket naming = new Socket(server.address().getAddress(), server.address().getPort())) {
      Thread back = Thread.ofVirtual().start(() -> copy(naming, client, null));
      copy(client, naming, recorded);
      back.join();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void copy(Socket from, Socket to, ByteArrayOutputStream recorded) {
    byte[] buffer = new byte[4_096];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        if (recorded != null) {
          recorded.write(buffer, 0, length);
        }
        out.write(buffer, 0, length);
      }
      to.shutdownOutput();
    } catch (IOException ended) {
      assert !from.isClosed() || !to.isClosed() || ended.getMessage() != null : "closed anyhow";
    }
  }

  @Test
  void aClientWithoutASecretLearnsNothing() throws IOException {
    try (Link link = Link.connect(server.address(), PATIENCE, ControlSecret.none())) {
      link.send(NamingCodec.encode(new NamingMessage.Resolve(1, "seats")));
      assertThatThrownBy(link::receive).hasMessageContaining("has a secret, and this one has none");
      // A link that closes drops what it has not sent yet.
      assertRefused(1);
    }
  }

  @Test
  void beyondLoopbackWithoutASecretItDoesNotStart() {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    Path names = directory.resolve("everywhere");

    assertThatThrownBy(() -> NamingServer.open(everywhere, List.of(), names).close())
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("without a secret")
        .hasMessageContaining("--secret-file");
    try (NamingServer open = NamingServer.open(everywhere, List.of(), names, SECRET)) {
      assertThat(open.address().getPort()).isPositive();
    }
  }

  @Test
  void aSecretThatEverybodyMayReadOrThatIsShortIsRefused() throws IOException {
    Path file = directory.resolve("secret");
    Files.writeString(file, "0123456789abcdef0123456789abcdef\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----r--"));
    assertThatThrownBy(() -> ControlSecret.ofFile(file)).hasMessageContaining("chmod o=");

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    ControlSecret read = ControlSecret.ofFile(file);
    assertThat(read).isEqualTo(secret("0123456789abcdef0123456789abcdef"));
    assertThat(read.toString()).doesNotContain("0123");

    Files.writeString(file, "0123456789abcdef0123456789abcdef\nfedcba9876543210fedcba9876543210\n");
    assertThat(ControlSecret.ofFile(file).accepted())
        .containsExactly(
            secret("0123456789abcdef0123456789abcdef"), secret("fedcba9876543210fedcba9876543210"));

    Files.writeString(file, "short");
    assertThatThrownBy(() -> ControlSecret.ofFile(file)).hasMessageContaining("5 bytes");
    assertThatThrownBy(() -> ControlSecret.ofFile(directory.resolve("none")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cannot read the secret");
  }

  /** A frame is counted when its connection has been closed. */
  private void assertRefused(long expected) {
    Await.until(PATIENCE, () -> server.malformedFrames() >= expected);
    assertThat(server.malformedFrames()).isEqualTo(expected);
  }
}
