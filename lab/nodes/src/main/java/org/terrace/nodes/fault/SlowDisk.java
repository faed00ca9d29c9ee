package org.terrace.nodes.fault;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.nodes.machine.DiskLimit;

/** Storage held back for one server. Confined to one thread. */
public final class SlowDisk implements Hold {
  private final Supplier<List<Long>> members;
  private final long bytesPerSecond;
  private final Consumer<Path> leftBehind;
  private final BiConsumer<Path, String> writeFirstAtEnd;
  private @Nullable DiskLimit limit;

  /**
   * The hold for one server, which has not begun.
   *
   * @param members its processes at the moment of the call
   * @param leftBehind told of the control group's folder, which is to be removed when this process
   *     dies while the hold lasts
   * @param writeFirstAtEnd told of each file of the kernel, and of the line that lifts the hold
   *     then
   */
  public SlowDisk(
      Supplier<List<Long>> members,
      long bytesPerSecond,
      Consumer<Path> leftBehind,
      BiConsumer<Path, String> writeFirstAtEnd) {
    this.members = members;
    this.leftBehind = leftBehind;
    this.writeFirstAtEnd = writeFirstAtEnd;
    this.bytesPerSecond = bytesPerSecond;
  }

  @Override
  public void begin() {
    DiskLimit made = DiskLimit.of(members.get());
    limit = made;
    leftBehind.accept(made.folder());
    made.lifting().forEach(writeFirstAtEnd);
    made.enforce(members.get(), bytesPerSecond);
  }

  @Override
  public Map<String, String> end() {
    DiskLimit made = limit;
    limit = null;
    if (made != null) {
      try (made) {
        made.lift();
      }
    }
    return Map.of("bytesPerSecond", Long.toString(bytesPerSecond));
  }
}
