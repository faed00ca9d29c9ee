package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** A runner's end of the pipe at whose other end something else than an agent speaks. */
@Timeout(60)
@Tag("real-processes")
class ForgedAgentTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path folder;

  /**
   * A process that answers what it is asked for by a shell's case, and first the ten readings of
   * the clock; it keeps every line it hears.
   *
   * @param answers cases of what was heard, in which {@code $id} is the request's number
   */
  private AgentConnection connection(String answers) {
    AgentLine line = AgentLine.start("far", List.of("sh", "-c", script(answers), heardFile()));
    var _ = line.awaitLine("{\"agent\":");
    return new AgentConnection("far", line, TimeSource.system());
  }

  private String heardFile() {
    return folder.resolve("heard").toString();
  }

  private static String script(String answers) {
    return """
    echo '{"agent":1}'
    heard=0
    while read -r line; do
      printf '%s\\n' "$line" >>"$0"
      id=${line#*'"id":'}
      id=${id%%,*}
      heard=$((heard + 1))
      if [ $heard -le 10 ]; then
        echo "{\\"id\\":$id,\\"is\\":{\\"epochNanos\\":1}}"
        continue
      fi
      case $line in
    """
        + answers
        + """

          esac
        done
        echo ended >>"$0"
        """;
  }

  private List<String> heard() {
    try {
      return Files.readAllLines(folder.resolve("heard"));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void ask(AgentConnection connection, String what) {
    var _ = connection.call(what, AgentMessages.JSON.createObjectNode());
  }

  @Test
  void whatIsNoBase64EndsTheConnectionAndAllThatHangsOnIt() {
    try (AgentConnection connection =
        connection("*spoil*) echo '{\"process\":1,\"output\":\"%\"}' ;;")) {
      AgentProcess process = connection.newProcess();

      assertThatThrownBy(() -> ask(connection, "spoil"))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("the host far does not answer any more")
          .hasMessageContaining("no message");

      assertThat(process.isAlive()).isFalse();
      assertThat(Await.until(SOON, () -> heard().contains("ended")))
          .as("it is told to end")
          .isTrue();
    }
  }

  @Test
  void aLineThatIsCutEndsTheConnection() {
    try (AgentConnection connection = connection("*cut*) printf '{\"id\":12,\"is\":' ; exit ;;")) {
      assertThatThrownBy(() -> ask(connection, "cut"))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("a line that is no JSON: {\"id\":12,\"is\":");
    }
  }

  @Test
  void aCodeThatIsNotKnownIsAFailureLikeAnother() {
    try (AgentConnection connection =
        connection(
            "*fly*) echo \"{\\\"id\\\":$id,\\\"failed\\\":{\\\"code\\\":\\\"NEW\\\"}}\" ;;")) {
      assertThatThrownBy(() -> ask(connection, "fly")).isInstanceOf(TerraceException.class);
    }
  }

  /**
   * An agent takes a minute of silence for the end of its runner, so an answer that waits must not.
   */
  @Test
  void theRunnerSpeaksEachSecondThoughNoAnswerComes() {
    try (AgentConnection connection = connection("*) ;;")) {
      assertThat(Await.until(SOON, () -> heard().size() >= 13)).isTrue();
      assertThat(connection.clockOffset().readings()).isEqualTo(10);
    }
  }

  @Test
  void aRequestThatIsLongerThanAMessageIsRefusedAndTheConnectionStays() {
    try (AgentConnection connection =
        connection("*small*) echo \"{\\\"id\\\":$id,\\\"is\\\":true}\" ;;")) {
      var with = AgentMessages.JSON.createObjectNode();
      with.put("content", "x".repeat(AgentMessages.LONGEST));

      assertThatThrownBy(() -> connection.call("put", with))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("characters, expected at most " + AgentMessages.LONGEST);
      assertThat(connection.call("small", AgentMessages.JSON.createObjectNode()).asBoolean())
          .isTrue();
    }
  }

  /** Its pipe is full, and so nobody gets through what was begun to be written. */
  @Test
  @Tag("long")
  void aHostThatDoesNotReadIsWaitedForAsLongAsForAnAnswerAndCanBeLeft() {
    AgentLine line =
        AgentLine.start(
            "far", List.of("sh", "-c", script("*stop*) exec sleep 1000 ;;"), heardFile()));
    var _ = line.awaitLine("{\"agent\":");
    try (AgentConnection connection = new AgentConnection("far", line, TimeSource.system())) {
      var with = AgentMessages.JSON.createObjectNode();
      Duration seconds = Duration.ofSeconds(2);
      assertThatThrownBy(() -> connection.call("stop", with, seconds))
          .isInstanceOf(TerraceException.class);
      with.put("content", "x".repeat(AgentMessages.LONGEST / 2));

      assertThatThrownBy(() -> connection.call("put", with, seconds))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("the host far did not answer 'put' within 2 s");

      line.close(1);
      assertThat(line.process().onExit()).succeedsWithin(SOON);
    }
  }

  /**
   * Copies a file of such a host in the place of an older one, which is still there afterwards.
   *
   * @param first what it does when it is asked for the first piece
   * @param next what it does when it is asked for the next
   */
  private void fetch(String first, String next, String complaint) {
    String answers =
        """
        *fetch*)
          if [ -e "$0.first" ]; then
            %s
          else
            : >"$0.first"
            %s
          fi ;;
        """
            .formatted(next, first);
    Path copy = folder.resolve("copy");
    try (LocalServerHost here = new LocalServerHost("local", folder, TimeSource.system())) {
      AgentLine line = AgentLine.start("far", List.of("sh", "-c", script(answers), heardFile()));
      var _ = line.awaitLine("{\"agent\":");
      Files.writeString(copy, "older");
      try (AgentHost far =
          new AgentHost("far", line, here.facts(), here.facts(), false, TimeSource.system())) {
        assertThatThrownBy(() -> far.fetch(Path.of("/far/away"), copy))
            .isInstanceOf(TerraceException.class)
            .hasMessageContaining("far")
            .hasMessageContaining(complaint);
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    assertThat(copy).hasContent("older");
    assertThat(folder.resolve("copy.new")).doesNotExist();
  }

  /** The command that answers with a piece, whose bytes are in Base64. */
  private static String piece(String bytes, boolean more, String sha256) {
    return "echo \"{\\\"id\\\":$id,\\\"is\\\":{\\\"bytes\\\":\\\"%s\\\",\\\"more\\\":%s,\\\"end\\\":10,\\\"sha256\\\":\\\"%s\\\"}}\""
        .formatted(bytes, more, sha256);
  }

  @Test
  void aCopyWithOtherBytesIsNone() {
    fetch(piece("aGVsbG8=", false, "00"), "exit", "it arrived with other bytes than it has there");
  }

  @Test
  void aCopyThatEndsBeforeItsFileIsNone() {
    fetch(
        piece("aGVsbG8=", true, ""),
        piece("", true, ""),
        "it ends after 5 bytes though more were announced");
  }

  @Test
  void aCopyThatIsCutIsNone() {
    fetch(piece("aGVsbG8=", true, ""), "exit", "does not answer any more");
  }

  @Test
  void whoDoesNotDescribeItsHostIsRefusedInASentence() {
    for (String facts : List.of("{\"agent\":1}", "{\"agent\":1,\"facts\":{\"cores\":\"two\"}}")) {
      AgentLine line = AgentLine.start("far", List.of("sh", "-c", "echo '" + facts + "'; cat"));

      assertThatThrownBy(line::awaitFacts)
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("the agent of the host far did not describe its host");
      line.close(1);
    }
  }
}
