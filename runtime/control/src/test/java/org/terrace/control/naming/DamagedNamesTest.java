package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.link.Link;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Seeds;

/** A naming process that finds its file damaged must not guess what it promised. */
@Tag("real-processes")
@Tag("untimed")
class DamagedNamesTest {
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress("127.63.3.1", 0);
  private static final int FLIPS = 500;

  @TempDir private Path directory;
  private Path file;
  private byte[] whole;

  @BeforeEach
  void storeNames() throws Exception {
    file = directory.resolve("names");
    try (NamingServer server = NamingServer.open(ANYWHERE, List.of(), directory);
        Link link =
            Link.connect(server.address(), java.time.Duration.ofSeconds(5), ControlSecret.none())) {
      Ballot ballot = new Ballot(1, 1);
      link.send(
          NamingCodec.encode(new NamingMessage.Accept(0, "echo", ballot, registration("echo"))));
      assertThat(NamingCodec.decode(link.receive())).isEqualTo(new NamingMessage.Accepted(0));
      link.send(NamingCodec.encode(new NamingMessage.Learn(registration("echo"))));
      link.send(NamingCodec.encode(new NamingMessage.Resolve(1, "echo")));
      assertThat(NamingCodec.decode(link.receive()))
          .isEqualTo(new NamingMessage.Resolved(1, registration("echo")));
    }
    whole = Files.readAllBytes(file);
  }

  private static Registration registration(String service) {
    Endpoint endpoint = new Endpoint("echo-1-1", "terrace", "127.63.3.2", 7_000, "");
    return new Registration(
        new ServiceReference(service, Style.WARM_PASSIVE, 1, 1, List.of(endpoint)), 1, 2);
  }

  @Test
  void aWholeFileIsRead() {
    try (NamingServer server = NamingServer.open(ANYWHERE, List.of(), directory)) {
      assertThat(server.chosen("echo")).isEqualTo(registration("echo"));
    }
  }

  @Test
  void aFileCutShortAnywhereIsRefusedAndLeftAsItIs() throws Exception {
    for (int length = 0; length < whole.length; length++) {
      assertRefused(Arrays.copyOf(whole, length));
    }
  }

  @Test
  void aFileWithAFlippedBitIsRefusedAndLeftAsItIs() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("aFileWithAFlippedBitIsRefused"));
    for (int flip = 0; flip < FLIPS; flip++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      assertRefused(damaged);
    }
  }

  @Test
  void theProcessNamesTheFileAndTheNextStepAndEndsAsForBadInput() throws Exception {
    for (byte[] damaged : List.of(new byte[0], Arrays.copyOf(whole, whole.length / 2))) {
      Files.write(file, damaged);
      Path messages = directory.resolveSibling(directory.getFileName() + ".messages");
      Process process =
          Keeper.ofThisProcess()
              .start(
                  new ProcessBuilder(
                          JavaCommand.of(
                              List.of("-XX:TieredStopAtLevel=1"),
                              NamingProcess.class,
                              "--listen",
                              "127.63.3.1:0",
                              "--directory",
                              directory.toString()))
                      .redirectError(messages.toFile()));
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor()).isEqualTo(2);
      assertThat(output).isEmpty();
      assertThat(Files.readString(messages))
          .contains(
              "names in " + file + " cannot be read",
              "an older copy of the file would",
              "empty directory")
          .doesNotContain("\tat ");
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
      Files.delete(messages);
    }
  }

  private void assertRefused(byte[] damaged) throws IOException {
    Files.write(file, damaged);
    assertThatThrownBy(() -> NamingServer.open(ANYWHERE, List.of(), directory).close())
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("an older copy of the file would");
    assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }
}
