package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.terrace.core.TimeSource;
import org.terrace.core.process.Keeper;
import org.terrace.nodes.machine.DiskGroup.Transfer;

/**
 * The proof that a control group holds back what goes to storage and what comes from it: some bytes
 * are written and waited for, and read again past the kernel's memory. Both have to take the time
 * that the limit gives them, and the group has to have counted them, since a slow disk or a busy
 * machine takes its time without any limit. Immutable.
 *
 * @param data the folder that is written to
 * @param blockBytes how much is written, or read, at once
 * @param blocks how many of them
 * @param limitBytes what the limit lets pass a second
 */
record StorageProof(Path data, long blockBytes, long blocks, long limitBytes) {
  /** The kernel gives in slices of a tenth of a second, the first of them at once. */
  private static final double LEAST_SHARE_OF_TIME = 0.6;

  /** The bytes that a group has to have counted; journals and pages round a little. */
  private static final double LEAST_SHARE_COUNTED = 0.9;

  /** The unit of reading past the kernel's memory: a page. */
  private static final long PAGE_BYTES = 1L << 12;

  private static final long LEAST_BLOCK_BYTES = 1L << 14;
  private static final long MOST_BLOCK_BYTES = 1L << 20;
  private static final long SECONDS_ALLOWED = 20;
  private static final int PROBES_A_SECOND = 2;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Uses a file without a name, which nothing that happens can leave behind. */
  private static final String PROBE =
      """
      exec 3<>"$0" && rm "$0" && echo begun &&
      dd if=/dev/zero of=/proc/self/fd/3 bs="$1" count="$2" oflag=dsync && echo written &&
      dd if=/proc/self/fd/3 of=/dev/null bs="$1" count="$2" iflag=direct && echo read
      """;

  /** A proof of half a second of writes, and as much of reads. */
  static StorageProof of(Path data, long limitBytes) {
    long block = Math.clamp(limitBytes / 8, LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES);
    block -= block % PAGE_BYTES;
    return new StorageProof(
        data, block, Math.max(2, limitBytes / PROBES_A_SECOND / block), limitBytes);
  }

  private long bytes() {
    return blocks * blockBytes;
  }

  /** The moments at which the probe began, had written and had read, as far as it came. */
  private record Course(List<Long> nanos, int status) {}

  /**
   * Writes and reads.
   *
   * @param name the name of the file, which is there for a moment
   * @param joining gives the command that joins the group before it becomes another
   * @param group the group
   * @throws IOException if the limit does not hold, or nothing can be told, with the reason
   */
  void run(String name, UnaryOperator<List<String>> joining, DiskGroup group, TimeSource time)
      throws IOException {
    List<String> probe =
        List.of(
            "sh",
            "-c",
            PROBE,
            data.resolve(name).toString(),
            Long.toString(blockBytes),
            Long.toString(blocks));
    Transfer before = group.transfer();
    Course course = course(joining.apply(probe), time);
    List<Long> nanos = course.nanos();
    if (nanos.size() < 2) {
      throw new IOException(
          "nothing could be written to %s (exit status %d)".formatted(data, course.status()));
    }
    if (nanos.size() < 3) {
      throw new IOException(
          "what was written to %s cannot be read past the kernel's memory (dd iflag=direct, exit status %d), so that nothing proves the limit of reads"
              .formatted(data, course.status()));
    }
    Transfer after = group.transfer();
    Optional<String> complaint =
        complaint(
                "written to",
                (nanos.get(1) - nanos.get(0)) / NANOS_PER_SECOND,
                after.writtenBytes() - before.writtenBytes())
            .or(() ->
                complaint(
                    "read from",
                    (nanos.get(2) - nanos.get(1)) / NANOS_PER_SECOND,
                    after.readBytes() - before.readBytes()));
    if (complaint.isPresent()) {
      throw new IOException(complaint.get());
    }
  }

  private Course course(List<String> command, TimeSource time) throws IOException {
    Process process =
        Keeper.ofThisProcess()
            .start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
    List<Long> nanos = new ArrayList<>();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(
            () -> {
              try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
                while (lines.readLine() != null) {
                  nanos.add(time.elapsedNanos());
                }
              } catch (IOException e) {
                assert e != null; // its end is what the lines say, or do not
              }
            },
            Thread::startVirtualThread);
    try {
      if (!process.waitFor(SECONDS_ALLOWED, TimeUnit.SECONDS)) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%,d bytes to %s and back take more than %d s",
                bytes(),
                data,
                SECONDS_ALLOWED));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      if (process.isAlive()) { // of one that has ended this would close what is still to be read
        process.destroyForcibly();
      }
    }
    reading.join();
    return new Course(List.copyOf(nanos), process.exitValue());
  }

  /**
   * The objection to one direction; empty if its limit holds.
   *
   * @param done what was done, with its preposition
   * @param seconds the time that it took
   * @param countedBytes the bytes that the group has counted meanwhile
   */
  Optional<String> complaint(String done, double seconds, long countedBytes) {
    double expected = (double) bytes() / limitBytes;
    if (seconds < expected * LEAST_SHARE_OF_TIME) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%,d bytes were %s %s in %.2f s, which were to take %.2f: its file system does not"
                  + " heed the limit",
              bytes(),
              done,
              data,
              seconds,
              expected));
    }
    if (countedBytes < bytes() * LEAST_SHARE_COUNTED) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%,d bytes were %s %s, of which the control group has counted %,d: others carry them"
                  + " out, whom the limit does not hold",
              bytes(),
              done,
              data,
              Math.max(0, countedBytes)));
    }
    return Optional.empty();
  }
}
