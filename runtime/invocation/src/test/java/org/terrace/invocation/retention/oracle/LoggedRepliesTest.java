package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoggedRepliesTest {
  @TempDir Path folder;

  @Test
  void countsEachReplyOnceAsTheLogsGrow() throws IOException {
    LoggedReplies replies = new LoggedReplies();
    Path log = folder.resolve("client.log");
    List<Path> logs = List.of(log, folder.resolve("of a client that was killed first.log"));
    assertThat(replies.count(logs)).isZero();

    append(log, "7 1 sent 5\n7 1 reply 5\n7 2 sent 6\n7 2 without it is late\n7 3 sent 1\n7 3 rep");
    assertThat(replies.count(logs)).isEqualTo(1);
    assertThat(replies.count(logs)).isEqualTo(1);

    append(log, "ly 12\n");
    assertThat(replies.count(logs)).isEqualTo(2);
  }

  private static void append(Path log, String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
