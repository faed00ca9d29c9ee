package org.terrace.evidence.host;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.EventKinds;

/**
 * The processor time that the quota of a control group withheld, as threads held back on average
 * (version 1 and 2). The kernel adds a stretch when it ends. Confined to one thread.
 */
final class GroupThrottling extends HostSource {
  /** At most this many groups with a quota are found by themselves. */
  static final int MOST_GROUPS = 64;

  private static final int DEEPEST = 8;
  private static final int MOST_FOLDERS = 4_000;
  private static final String STATISTICS = "cpu.stat";
  private static final byte[] NANOS = KernelText.name("throttled_time");
  private static final byte[] MICROS = KernelText.name("throttled_usec");
  private static final long NANOS_PER_MICRO = 1_000;

  private final OpenKernelFile file;
  private final String node;
  private long before;

  GroupThrottling(Path folder, String node) throws IOException {
    super(0);
    file = open(folder.resolve(STATISTICS));
    this.node = node;
    if (withheld(file.read()) < 0) {
      throw new IOException(folder.resolve(STATISTICS) + " tells of no throttling");
    }
  }

  @Override
  void read(long passedNanos, Readings readings) throws IOException {
    long now = withheld(file.read());
    if (passedNanos > 0 && now >= before) {
      readings.take(node, EventKinds.CPU_THROTTLED, (double) (now - before) / passedNanos);
    }
    before = now;
  }

  /** Nanoseconds withheld since the group was made. */
  static long withheld(KernelText text) {
    long nanos = text.field(NANOS);
    long micros = text.field(MICROS);
    return micros >= 0 ? micros * NANOS_PER_MICRO : nanos;
  }

  /** The period of a group's quota in microseconds; zero for a group without one. */
  static long periodMicros(Path folder) {
    try {
      Path version2 = folder.resolve("cpu.max");
      if (Files.exists(version2)) {
        String[] words = Files.readString(version2).strip().split("\\s+", -1);
        return words.length == 2 && !words[0].equals("max") ? Long.parseLong(words[1]) : 0;
      }
      long quota = Long.parseLong(Files.readString(folder.resolve("cpu.cfs_quota_us")).strip());
      return quota < 0
          ? 0
          : Long.parseLong(Files.readString(folder.resolve("cpu.cfs_period_us")).strip());
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }

  /** The folders of groups that have a quota, below the file system of control groups. */
  static List<Path> withQuota(Path root) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          Set.of(),
          DEEPEST,
          new SimpleFileVisitor<>() {
            private int folders;

            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              if (Files.exists(folder.resolve(STATISTICS)) && periodMicros(folder) > 0) {
                found.add(folder);
              }
              folders++;
              return found.size() >= MOST_GROUPS || folders >= MOST_FOLDERS
                  ? FileVisitResult.TERMINATE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // gone meanwhile, or not ours to see
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      return found; // as far as it is shown
    }
    return found;
  }
}
