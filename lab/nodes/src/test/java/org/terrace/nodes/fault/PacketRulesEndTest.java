package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.testing.Await;

/** The end of rules by a filter of this test, of which one file is the kernel's table. */
@Timeout(60)
@Tag("real-processes")
class PacketRulesEndTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** A filter that removes its table when it ends, if it may, and waits where it is told to. */
  private static final String FILTER =
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      awaited() {
        rm "$1" && touch "$1-awaited"
        while ! test -e go; do sleep 0.02; done
      }
      if test "$1" = -i; then
        touch table
        echo $$ > owner
        cat > /dev/null
        test -e slow-end && awaited slow-end
        test -e stays || rm table
      elif test -e table; then
        echo 'counter packets 3'
      else
        test -e slow-list && awaited slow-list
        echo 'Error: No such file or directory'
        exit 1
      fi
      """;

  @TempDir Path directory;
  private PacketRules rules;

  @BeforeEach
  void begin() throws IOException {
    Path program = directory.resolve("nft");
    Files.writeString(program, FILTER);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    rules =
        new PacketRules(
            program.toString(), "cut", PacketRules.NOBODY, List.of("input counter drop"));
    rules.begin();
  }

  private void touch(String name) throws IOException {
    Files.createFile(directory.resolve(name));
  }

  @Test
  void rulesThatMayStillHoldAreAskedForUntilTheyAreKnownToBeGone() throws IOException {
    touch("stays");
    for (int time = 0; time < 2; time++) {
      assertThatThrownBy(rules::end)
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("may still be dropped here (its table is still there)");
    }
    Files.delete(directory.resolve("table"));
    assertThat(rules.end()).as("packets that nobody could count").isEmpty();
  }

  /** The kernel drops an owner's table with it, so that the fault was over then. */
  @Test
  void rulesWhoseOwnerEndedBeforeThemAreNotToldAtFullLength() throws IOException {
    long owner = Long.parseLong(Files.readString(directory.resolve("owner")).strip());
    ProcessHandle process = ProcessHandle.of(owner).orElseThrow();
    process.destroyForcibly();
    assertThat(process.onExit()).succeedsWithin(SOON);
    Files.delete(directory.resolve("table"));

    assertThatThrownBy(rules::end)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cut of probe ended by itself");
    assertThat(rules.end()).as("whoever asks again").isEmpty();
  }

  @Test
  void rulesThatLostTheirOwnerAndMayStillHoldAreBothTold() throws IOException {
    long owner = Long.parseLong(Files.readString(directory.resolve("owner")).strip());
    ProcessHandle process = ProcessHandle.of(owner).orElseThrow();
    process.destroyForcibly();
    assertThat(process.onExit()).succeedsWithin(SOON);

    assertThatThrownBy(rules::end).hasMessageContaining("its table is still there");
    Files.delete(directory.resolve("table"));
    assertThatThrownBy(rules::end).hasMessageContaining("cut of probe ended by itself");
    assertThat(rules.end()).isEmpty();
  }

  @Test
  void anInterruptWhileTheFilterEndsKeepsNobodyFromTheEnd() throws Exception {
    assertEndsThoughInterruptedIn("slow-end");
  }

  @Test
  void anInterruptWhileTheKernelIsAskedKeepsNobodyFromTheEnd() throws Exception {
    assertEndsThoughInterruptedIn("slow-list");
  }

  private void assertEndsThoughInterruptedIn(String step) throws Exception {
    touch(step);
    CompletableFuture<Map<String, String>> facts = new CompletableFuture<>();
    CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
    Thread ending =
        Thread.ofPlatform()
            .start(() -> {
              try {
                facts.complete(rules.end());
              } catch (TerraceException e) {
                facts.completeExceptionally(e);
              }
              isInterrupted.complete(Thread.currentThread().isInterrupted());
            });
    assertThat(Await.until(SOON, () -> Files.exists(directory.resolve(step + "-awaited"))))
        .isTrue();

    ending.interrupt();
    assertThat(Await.until(SOON, () -> !ending.isInterrupted())).as("it was taken").isTrue();
    touch("go");

    assertThat(facts.get()).containsEntry("droppedPackets", "3");
    assertThat(isInterrupted.get()).isTrue();
    assertThat(directory.resolve("table")).doesNotExist();
  }
}
