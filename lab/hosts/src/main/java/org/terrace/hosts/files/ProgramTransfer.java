package org.terrace.hosts.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.hosts.files.HostFiles.Archive;

/**
 * The bringing of archives to a host that does not have them yet. It may take as long as it takes:
 * its bound is a time without progress, in which no byte leaves this machine and none is told to
 * have arrived. For one thread, once; two of its own read and write meanwhile.
 */
public final class ProgramTransfer {
  /** The most lines of the other side that wait here; more wait in the connection. */
  private static final int MOST_WORDS = 1_000;

  private static final int CHUNK_BYTES = 16 << 10;
  private static final Duration TOLD_EACH = Duration.ofSeconds(2);
  private static final Duration LOOKED_EACH = Duration.ofMillis(500);
  private static final double MEGABYTE = 1e6;
  private static final String NEED = "need ";
  private static final String TOOK = "took ";
  private static final String KEPT = "kept ";
  private static final String LISTED = "listed";
  private static final String BROUGHT = "brought";

  /** The script at the other end of a connection. */
  public interface OtherSide {
    /** The stream that it reads. */
    OutputStream input();

    /** The next line that it says; null at its end. */
    @Nullable String line() throws IOException;

    /** The last complaints of the other side, to follow a sentence; empty if there were none. */
    String said();
  }

  /** A line that is none: the other side has ended. */
  private static final String END = "";

  private final String host;
  private final OtherSide side;
  private final List<Archive> archives;
  private final Duration patience;
  private final Consumer<String> progress;
  private final TimeSource time;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>(MOST_WORDS);
  private final AtomicLong written = new AtomicLong();
  private final List<Archive> missing = new ArrayList<>();
  private long total;
  private long kept;
  private long taken;
  private long movedNanos;
  private long movedBytes;
  private long toldNanos;

  /**
   * @param host its name
   * @param side the script that waits for archives
   * @param patience the longest time without progress
   * @param progress told how much the host has taken, in lines
   */
  public ProgramTransfer(
      String host,
      OtherSide side,
      List<Archive> archives,
      Duration patience,
      Consumer<String> progress,
      TimeSource time) {
    this.host = host;
    this.side = side;
    this.archives = archives;
    this.patience = patience;
    this.progress = progress;
    this.time = time;
  }

  /**
   * Brings what is missing.
   *
   * @throws TerraceException if the host takes nothing any more
   */
  public void run() throws IOException {
    Thread.ofVirtual().name("words of " + host).start(this::listen);
    movedNanos = time.elapsedNanos();
    write(this::list);
    for (String word = next(); !word.equals(LISTED); word = next()) {
      if (word.startsWith(NEED)) {
        String digest = word.substring(NEED.length());
        archives.stream().filter(each -> each.digest().equals(digest)).forEach(missing::add);
      }
    }
    total = missing.stream().mapToLong(Archive::bytes).sum();
    if (total > 0) {
      tellProgress();
    }
    List<Archive> sending = List.copyOf(missing);
    write(out -> send(out, sending));
    for (String word = next(); !word.equals(BROUGHT); word = next()) {
      if (word.startsWith(TOOK)) {
        taken = Long.parseLong(word.substring(word.lastIndexOf(' ') + 1));
      } else if (word.startsWith(KEPT)) {
        kept += missing.removeFirst().bytes();
        taken = 0;
      }
      if (time.elapsedNanos() - toldNanos > TOLD_EACH.toNanos()) {
        tellProgress();
      }
    }
    if (total > 0) {
      tellProgress();
    }
  }

  private void tellProgress() {
    toldNanos = time.elapsedNanos();
    progress.accept(
        String.format(
            Locale.ROOT,
            "the host %s has taken %.1f of %.1f MB of programs that it did not have",
            host,
            (kept + taken) / MEGABYTE,
            total / MEGABYTE));
  }

  /** Something written in the background; its failure is told as the end of the other side. */
  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  private void write(Writing writing) {
    Thread.ofVirtual()
        .name("programs to " + host)
        .start(() -> {
          try {
            writing.to(side.input());
          } catch (IOException e) {
            hear(END);
          }
        });
  }

  private void list(OutputStream out) throws IOException {
    for (Archive archive : archives) {
      tell(out, "want %s %d %s".formatted(archive.digest(), archive.bytes(), archive.name()));
    }
    tell(out, LISTED);
  }

  private void send(OutputStream out, List<Archive> sending) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    for (Archive archive : sending) {
      tell(out, "file %s %d %s".formatted(archive.digest(), archive.bytes(), archive.name()));
      try (InputStream in = Files.newInputStream(archive.file())) {
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
          out.write(chunk, 0, read);
          out.flush();
          written.addAndGet(read);
        }
      }
    }
    tell(out, BROUGHT);
  }

  /** Reads until the last word, behind which somebody else reads. */
  private void listen() {
    try {
      for (String text = side.line(); text != null; text = side.line()) {
        if (!text.equals(END)) {
          hear(text);
        }
        if (text.equals(BROUGHT)) {
          return;
        }
      }
    } catch (IOException e) {
      assert e != null; // it has ended
    }
    hear(END);
  }

  private void hear(String word) {
    try {
      said.put(word);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next word of the host. */
  private String next() throws IOException {
    try {
      while (true) {
        String word = said.poll(LOOKED_EACH.toMillis(), TimeUnit.MILLISECONDS);
        long now = time.elapsedNanos();
        long moved = written.get();
        if (word != null || moved > movedBytes) {
          movedNanos = now;
          movedBytes = moved;
        }
        if (END.equals(word)) {
          throw new IOException("it ended");
        }
        if (word != null) {
          return word;
        }
        if (now - movedNanos > patience.toNanos()) {
          throw stuck();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "interrupted while the host " + host + " was brought programs",
          e);
    }
  }

  private TerraceException stuck() {
    Optional<Archive> current = missing.stream().findFirst();
    String what =
        current
            .map(archive ->
                String.format(
                    Locale.ROOT,
                    "took nothing of %s for %d s, after %,d of its %,d bytes; look at the disk"
                        + " there and the way to it, and run again: what arrived whole stays",
                    archive.file(),
                    patience.toSeconds(),
                    taken,
                    archive.bytes()))
            .orElse("did not tell for %d s which programs it has".formatted(patience.toSeconds()));
    return new TerraceException(
        ErrorCode.MACHINE_LACKS, "the host " + host + " " + what + side.said());
  }

  /** Writes a line. */
  public static void tell(OutputStream out, String text) throws IOException {
    out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
