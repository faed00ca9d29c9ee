package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Endpoints.Endpoint;

/** A packet filter's program that does not tell what it has, or does not let go of it. */
@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class SilentFilterTest {
  /** It has a table with one rule as long as its file is there, and takes it away at the end. */
  private static final String GOOD =
      """
      if [ "$1" = -i ]; then
        : >table
        cat >/dev/null
        %s
        exit 0
      fi
      [ ! -f table ] || { echo "counter packets 5 bytes 300 drop"; exit 0; }
      %s
      """;

  private static final String GONE = "echo 'Error: No such file or directory' >&2; exit 1";

  @TempDir private Path folder;

  private PacketRules rules(String script) throws IOException {
    Path program = folder.resolve("nft");
    Files.writeString(program, "#!/bin/sh\ncd %s\n%s".formatted(folder, script));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new PacketRules(
        program.toString(),
        "cut",
        new Endpoint("web1", "127.18.1.1", 8080),
        List.of("input counter drop"));
  }

  @Test
  void aCutThatIsOverIsToldWithWhatItDropped() throws IOException {
    PacketRules cut = rules(GOOD.formatted("rm table", GONE));
    cut.begin();

    assertThat(cut.end()).isEqualTo(Map.of("droppedPackets", "5"));
    assertThat(cut.end()).as("nothing is held any more").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ": | " + GONE + " | its table is still there",
        "rm table | echo 'Error: Operation not permitted' >&2; exit 1 | Error: Operation not permitted",
        "rm table | exit 127 | exit status 127"
      })
  void aCutThatIsNotKnownToBeOverIsAnError(String atTheEnd, String listing, String expected)
      throws IOException {
    PacketRules cut = rules(GOOD.formatted(atTheEnd, listing));
    cut.begin();

    assertThatThrownBy(cut::end)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cut: packets of web1 may still be dropped here (" + expected);
  }

  /** Somebody else took its table away meanwhile, so that it was not in force until its end. */
  @Test
  void aCutWhoseTableIsGoneBeforeItsEndDidNotLast() throws IOException {
    PacketRules cut = rules(GOOD.formatted(":", GONE));
    cut.begin();
    Files.delete(folder.resolve("table"));

    assertThatThrownBy(cut::end)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(
            "cut of web1 ended by itself, since the kernel does not have its table as it was");
    assertThat(cut.end()).as("whoever asks again").isEmpty();
  }

  /** The filter refused a rule that is not counted, and took those that are. */
  @Test
  void aFilterThatComplainsOfOneRuleHasNotTakenThem() throws IOException {
    PacketRules cut =
        rules(
            GOOD.replace(": >table", "echo 'Error: no accept here'; : >table")
                .formatted("rm table", GONE));

    assertThatThrownBy(cut::begin)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(
            "cut: packets of web1 cannot be dropped here (Error: no accept here)");
  }

  @Test
  void aCutEndsThoughItsThreadIsInterrupted() throws IOException {
    PacketRules cut = rules(GOOD.formatted("rm table", GONE));
    cut.begin();
    Thread.currentThread().interrupt();

    assertThat(cut.end()).isEqualTo(Map.of("droppedPackets", "5"));
    assertThat(Thread.interrupted()).isTrue();
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "exec sleep 1000, nft does not tell its rules: it did not end within 5000 ms",
    "exec yes, nft does not tell its rules: it printed more than 65536 bytes"
  })
  void aFilterWithoutAnAnswerIsRefusedSoon(String listing, String expected) throws Exception {
    PacketRules cut =
        rules("[ \"$1\" != -i ] || exec cat >/dev/null\necho $$ >>started\n" + listing);

    assertThatThrownBy(cut::begin)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cut: packets of web1 cannot be dropped here (" + expected);
    for (String pid : Files.readAllLines(folder.resolve("started"))) {
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(left -> left.onExit().join());
    }
    assertThat(cut.end()).isEmpty();
  }
}
