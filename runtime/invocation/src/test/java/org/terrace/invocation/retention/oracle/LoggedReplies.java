package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The replies in the logs of clients, counted as the logs grow. Confined to one thread. */
final class LoggedReplies {
  private static final String REPLY = " reply ";

  private final Map<Path, Long> read = new HashMap<>();
  private long counted;

  /** The number of replies in all logs so far. */
  long count(List<Path> logs) {
    for (Path log : logs) {
      if (Files.exists(log)) {
        count(log);
      }
    }
    return counted;
  }

  private void count(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = read.getOrDefault(log, 0L);
      byte[] fresh = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(fresh);
      String text = new String(fresh, StandardCharsets.UTF_8);
      int end = text.lastIndexOf('\n') + 1;
      counted += text.substring(0, end).lines().filter(line -> line.contains(REPLY)).count();
      read.put(log, from + text.substring(0, end).getBytes(StandardCharsets.UTF_8).length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
