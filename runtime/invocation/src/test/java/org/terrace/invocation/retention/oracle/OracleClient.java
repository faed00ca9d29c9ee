package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Seeds;

/**
 * Clients as a process: {@code OracleClient SEED THREADS LOG HOST PORT...}. Each thread is a client
 * with an identity of its own; it ends when its input does and its calls have replies, or with
 * status 1 when they have none a minute later.
 *
 * <p>The log has a line when a request is first sent and one when its reply is known, each written
 * by one system call, so that it outlives the process.
 */
final class OracleClient {
  private static final Duration LAST_REPLY_WITHIN = Duration.ofMinutes(1);

  private OracleClient() {}

  public static void main(String[] arguments) throws Exception {
    RandomGenerator seeds = Seeds.generator(Long.parseLong(arguments[0]));
    int threads = Integer.parseInt(arguments[1]);
    Log log = new Log(Path.of(arguments[2]));
    List<Endpoint> replicas = new ArrayList<>();
    for (int i = 3; i < arguments.length; i += 2) {
      int port = Integer.parseInt(arguments[i + 1]);
      replicas.add(new Endpoint("replica" + replicas.size(), "terrace", arguments[i], port, ""));
    }
    List<OracleCaller> callers = new ArrayList<>();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      OracleCaller caller = new OracleCaller(seeds.nextLong(), replicas, log);
      callers.add(caller);
      running.add(Thread.ofVirtual().start(caller));
    }
    while (System.in.read() >= 0) {
      // What comes does not matter, only the end.
    }
    callers.forEach(OracleCaller::end);
    boolean answered = true;
    for (Thread thread : running) {
      answered &= thread.join(LAST_REPLY_WITHIN);
    }
    System.exit(answered ? 0 : 1);
  }

  /** The lines of a process, in a file. Thread-safe. */
  static final class Log {
    private final FileChannel file;

    Log(Path path) throws IOException {
      file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    }

    synchronized void line(String line) {
      try {
        file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }
}
