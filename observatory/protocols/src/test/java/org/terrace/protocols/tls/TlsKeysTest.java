package org.terrace.protocols.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.testing.Seeds;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

class TlsKeysTest {
  private static final String RANDOM = "01".repeat(32);
  private static final String MASTER = "ab".repeat(48);
  private static final String TRAFFIC = "CD".repeat(32);

  @TempDir private Path directory;

  private final Counters counters = new Counters();
  private final TlsKeys keys = new TlsKeys(counters);

  private static ClientRandom random(int value) {
    byte[] bytes = new byte[ClientRandom.LENGTH];
    Arrays.fill(bytes, (byte) value);
    return ClientRandom.at(bytes, 0);
  }

  private void read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    keys.keyLog(bytes, 0, bytes.length);
    keys.keyLogEnds();
  }

  @Test
  void linesOfKnownLabelsAreKeptAndOthersPassedOver() {
    read(
        "# a remark\r\n\r\nCLIENT_RANDOM "
            + RANDOM
            + " "
            + MASTER
            + "\r\nSERVER_TRAFFIC_SECRET_0 "
            + RANDOM
            + " "
            + TRAFFIC
            + "\nEXPORTER_SECRET "
            + RANDOM
            + " "
            + TRAFFIC
            + "\nRSA 0102030405060708 "
            + MASTER
            + "\n  CLIENT_TRAFFIC_SECRET_0 "
            + RANDOM
            + "  "
            + TRAFFIC);

    assertThat(keys.secret(random(1), KeyLabel.CLIENT_RANDOM)).hasSize(48).contains(0xab);
    assertThat(keys.secret(random(1), KeyLabel.SERVER_TRAFFIC_SECRET_0)).hasSize(32);
    assertThat(keys.secret(random(1), KeyLabel.CLIENT_TRAFFIC_SECRET_0)).contains(0xcd);
    assertThat(keys.secret(random(1), KeyLabel.CLIENT_HANDSHAKE_TRAFFIC_SECRET)).isNull();
    assertThat(keys.knows(random(1))).isTrue();
    assertThat(keys.knows(random(2))).isFalse();
    assertThat(counters.of(WireCount.DAMAGED_KEY_LINES)).isZero();
  }

  @Test
  void damagedLinesAreCountedAndCostNoOther() {
    read(
        "CLIENT_RANDOM "
            + RANDOM
            + "\nCLIENT_RANDOM "
            + RANDOM
            + " "
            + MASTER.substring(1)
            + "\nCLIENT_RANDOM "
            + RANDOM
            + " "
            + TRAFFIC
            + "\nCLIENT_RANDOM 00 "
            + MASTER
            + "\nCLIENT_RANDOM "
            + RANDOM
            + " "
            + MASTER.replace('a', 'g')
            + "\nCLIENT_RANDOM "
            + RANDOM
            + " "
            + MASTER
            + " more\n\0\1\2 x y\n"
            + "A".repeat(5000)
            + "\nCLIENT_RANDOM "
            + RANDOM
            + " "
            + MASTER
            + "\n");

    assertThat(counters.of(WireCount.DAMAGED_KEY_LINES)).isEqualTo(8);
    assertThat(keys.secret(random(1), KeyLabel.CLIENT_RANDOM)).isNotNull();
  }

  @Test
  void logCutAnywhereIsTheSame() {
    byte[] bytes = ("x\nCLIENT_RANDOM " + RANDOM + " " + MASTER).getBytes(StandardCharsets.UTF_8);
    for (int cut = 0; cut <= bytes.length; cut++) {
      TlsKeys cutKeys = new TlsKeys(new Counters());
      cutKeys.keyLog(bytes, 0, cut);
      cutKeys.keyLog(bytes, cut, bytes.length);
      cutKeys.keyLogEnds();
      assertThat(cutKeys.knows(random(1))).isTrue();
    }
  }

  @Test
  void anyBytesFailNothing() {
    RandomGenerator random = Seeds.generator(Seeds.next("key-log"));
    byte[] line =
        ("CLIENT_RANDOM " + RANDOM + " " + MASTER + "\n").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = line.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      keys.keyLog(damaged, 0, damaged.length);
    }
    keys.keyLogEnds();

    assertThat(counters.of(WireCount.DAMAGED_KEY_LINES)).isPositive();
  }

  @Test
  void latestSecretsAreKeptOfALogThatIsTooLong() {
    TlsKeys few = new TlsKeys(counters, 100);
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 110; i++) {
      line(log, "%064x".formatted(i));
    }
    byte[] bytes = log.toString().getBytes(StandardCharsets.ISO_8859_1);
    few.keyLog(bytes, 0, bytes.length);

    assertThat(counters.of(WireCount.KEYS_BEYOND_LIMIT)).isEqualTo(10);
    assertThat(few.knows(numbered(9))).isFalse();
    assertThat(few.knows(numbered(10))).isTrue();
    assertThat(few.knows(numbered(109))).isTrue();
  }

  private static void line(StringBuilder log, String random) {
    log.append("CLIENT_RANDOM ").append(random).append(' ').append(MASTER).append('\n');
  }

  private static ClientRandom numbered(long number) {
    return new ClientRandom(0, 0, 0, number);
  }

  /** Halves of a number that are equal have the hash zero, whatever they are. */
  @Test
  @Timeout(20)
  void namesOfOneHashTakeNoLongerThanOthers() {
    StringBuilder log = new StringBuilder();
    int names = 100_000;
    for (long i = 0; i < names; i++) {
      line(log, "%048x%08x%08x".formatted(0, i, i));
    }
    read(log.toString());

    assertThat(numbered(7L << 32 | 7)).hasSameHashCodeAs(numbered(8L << 32 | 8));
    assertThat(keys.knows(numbered(7L << 32 | 7))).isTrue();
    assertThat(keys.toString()).startsWith(names + " ");
  }

  @Test
  void secretsAreToldByNothing() {
    read("CLIENT_RANDOM " + RANDOM + " " + MASTER);

    assertThat(keys.toString()).isEqualTo("1 secrets of TLS");
  }

  @Test
  void fileThatIsNoKeyLogIsRefusedWithTheNextStep() throws Exception {
    Path other = Files.writeString(directory.resolve("other"), "not a key log\n");
    Path empty = Files.createFile(directory.resolve("empty"));

    assertThatThrownBy(() -> keys.read(directory.resolve("none")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("none", "there is no such file");
    assertThatThrownBy(() -> keys.read(other))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll(other.toString(), "expected a key log of TLS", "SSLKEYLOGFILE");
    assertThatThrownBy(() -> keys.read(directory))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("expected a readable key log");
    keys.read(empty);
    assertThat(keys.isEmpty()).isTrue();
  }
}
