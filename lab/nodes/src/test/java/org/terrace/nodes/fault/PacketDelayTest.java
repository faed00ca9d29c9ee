package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.process.JavaCommand;

/**
 * Real packets that a real queue of the kernel holds back, in a network namespace of the test's
 * own. Where the kernel lacks the queue that only delays, one that holds a rate stands for it: its
 * place, its filters and its end are the same.
 */
@Timeout(120)
@Tag("real-processes")
class PacketDelayTest {
  /** More than a packet takes that nothing holds back, on a machine that does much else. */
  private static final long AT_ONCE_MILLIS = 40;

  private static final long HELD_MILLIS = 55;

  @BeforeEach
  void requireNamespace() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/tc")) || Files.isExecutable(Path.of("/sbin/tc")),
        "no tc");
    Assumptions.assumeTrue(
        inNamespace("true", List.of()).start().waitFor() == 0, "no namespaces here");
  }

  /** A script in a network namespace with a loopback device, given words as its arguments. */
  private static ProcessBuilder inNamespace(String script, List<String> words) {
    boolean root = System.getProperty("user.name").equals("root");
    List<String> command =
        new ArrayList<>(List.of("unshare", root ? "-n" : "-rn", "--", "sh", "-c"));
    command.add("PATH=$PATH:/usr/sbin:/sbin; ip link set lo up || exit 1; " + script);
    command.add("probe");
    command.addAll(words);
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private static List<String> lines(String script, String what) throws IOException {
    List<String> java = JavaCommand.small(List.of("-Xmx96m"), DelayProbe.class, what);
    Process process = inNamespace(script, java).start();
    process.getOutputStream().close();
    return process.inputReader(StandardCharsets.UTF_8).lines().toList();
  }

  /** The numbers that the probe prints, by their names. */
  private static Map<String, Long> numbers(String what) throws IOException {
    Map<String, Long> numbers = new HashMap<>();
    List<String> lines = lines("exec \"$@\"", what);
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      assertThat(words).as("of %s", lines).hasSize(2);
      numbers.put(words[0], Long.parseLong(words[1]));
    }
    return numbers;
  }

  private static String tried() throws IOException {
    return String.join("\n", lines("exec \"$@\"", "try"));
  }

  @Test
  void whatAServerSendsArrivesLaterAndNothingElseDoes() throws IOException {
    Map<String, Long> measured = numbers(tried().equals("permitted") ? "netem" : "slow");

    assertThat(measured.get("during")).isGreaterThanOrEqualTo(HELD_MILLIS);
    assertThat(List.of(measured.get("before"), measured.get("other"), measured.get("after")))
        .allMatch(millis -> millis < AT_ONCE_MILLIS);
    assertThat(measured.get("packets")).isEqualTo(30);
  }

  /** Of two networks too, in which servers have addresses that end alike. */
  @ParameterizedTest
  @ValueSource(strings = {"two", "alike"})
  void twoServersOfOneDeviceAreDelayedAndHealedOneByOne(String what) throws IOException {
    Map<String, Long> measured = numbers(what);

    assertThat(measured.get("held")).isGreaterThanOrEqualTo(HELD_MILLIS);
    assertThat(List.of(measured.get("healed"), measured.get("after")))
        .allMatch(millis -> millis < AT_ONCE_MILLIS);
  }

  @Test
  void whatIsRefusedTakesNothingFromAnotherDelay() throws IOException {
    Map<String, Long> measured = numbers("refused");

    assertThat(measured.get("refused")).isEqualTo(1);
    assertThat(measured.get("held")).isGreaterThanOrEqualTo(HELD_MILLIS);
  }

  /** A fault that stays in force falsifies all that follows, so its end is asked of the kernel. */
  @Test
  void aQueueThatIsNotGoneIsSaidAtTheEnd(@TempDir Path directory) throws IOException {
    String deletesNothing =
        """
        real=$(command -v tc); PATH=%1$s:$PATH
        printf '#!/bin/sh\ncase $2 in del) exit 0 ;; esac\nexec %%s "$@"\n' "$real" >%1$s/tc
        chmod +x %1$s/tc; exec "$@"
        """
            .formatted(directory);

    assertThat(lines("exec \"$@\"", "end")).containsExactly("healed");
    for (List<String> said :
        List.of(lines(deletesNothing, "end"), lines("exec \"$@\"", "killed"))) {
      assertThat(said)
          .singleElement()
          .asString()
          .startsWith("delay: what held back packets of app1 is not known to be gone")
          .endsWith("remove it with: sudo tc qdisc del dev lo root");
    }
  }

  /** As agents of several servers of a machine do, of which each knows nothing of the others. */
  @Test
  @Tag("long")
  void delaysThatBeginAndEndInTheSameMomentsDoNotDisturbEachOther() throws IOException {
    List<String> said = lines("\"$@\"; tc qdisc show dev lo | grep 7e44; echo healed", "crowd");

    assertThat(said).containsExactly("failed 0", "healed");
  }

  @Test
  void theConnectionOfSshIsLeftAlone() throws IOException {
    Map<String, Long> measured = numbers("ssh");

    assertThat(measured.get("shell")).isZero();
    assertThat(measured.get("server")).isGreaterThan(10);
  }

  /** The namespace stays, so it is not its end that takes the queue away. */
  @Test
  void theQueueGoesWhenItsOwnerIsKilled() throws IOException {
    List<String> java = JavaCommand.small(List.of("-Xmx96m"), DelayProbe.class, "hold");
    Process process =
        inNamespace(
                """
                "$@" & owner=$!
                read -r go
                tc qdisc show dev lo
                kill -9 $owner
                for poll in $(seq 100); do
                  sleep 0.1
                  [ -n "$(tc qdisc show dev lo | grep 7e44)" ] || { echo healed; exit; }
                done
                echo left
                """,
                java)
            .start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    assertThat(said.readLine()).isEqualTo("held");
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();

    List<String> rest = said.lines().toList();

    assertThat(rest).anyMatch(line -> line.contains("qdisc htb 7e44: root"));
    assertThat(rest).last().isEqualTo("healed");
  }

  /** Nobody is left then who would heal, until another delay of the device begins. */
  @Test
  @Tag("long")
  void whatIsLeftWhenAllAreKilledTheNextDelayRemoves() throws Exception {
    List<String> java = JavaCommand.small(List.of("-Xmx96m"), DelayProbe.class, "hold");
    String script =
        """
        "$@" & owner=$!
        read -r go
        for parent in /proc/[0-9]*/stat; do
          read -r pid name state above rest <"$parent" 2>/dev/null || continue
          [ "$above" != $owner ] || kill -9 "$pid"
        done
        kill -9 $owner
        wait $owner 2>/dev/null
        tc qdisc show dev lo
        %s two >/dev/null
        [ -n "$(tc qdisc show dev lo | grep 7e44)" ] && echo left || echo healed
        """
            .formatted(String.join(" ", java.subList(0, java.size() - 1)));
    Process process = inNamespace(script, java).start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    assertThat(said.readLine()).isEqualTo("held");
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();

    List<String> rest = said.lines().toList();

    assertThat(rest).anyMatch(line -> line.contains("qdisc htb 7e44: root"));
    assertThat(rest).last().isEqualTo("healed");
  }

  /** Either this kernel has the queue, or the refusal says what it takes. */
  @Test
  void whatAMachineCannotDoIsRefusedBeforehand() throws IOException {
    List<String> occupied =
        lines("tc qdisc add dev lo root handle 1: pfifo limit 100 || exit 1; exec \"$@\"", "try");

    assertThat(tried())
        .satisfiesAnyOf(
            said -> assertThat(said).isEqualTo("permitted"),
            said ->
                assertThat(said)
                    .startsWith("delay: packets of app1 cannot be delayed here (Error: ")
                    .contains("qdisc kind is unknown")
                    .contains("sudo modprobe sch_netem"));
    assertThat(occupied)
        .singleElement()
        .asString()
        .contains("packets of app1 cannot be delayed here (")
        .contains("a device without a queue of somebody's own");
  }
}
