package org.terrace.dashboard.http;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The memory that answers may have together, in bytes: for what is read for them, and for pages
 * until their readers have taken them. Whatever finds none left is refused, so that the others are
 * not lost with it. Thread-safe.
 */
public final class AnswerMemory {
  /** One of so many parts of the heap: the rest is for what is small, and for estimates. */
  private static final int PART_OF_HEAP = 2;

  /** The bytes for each of a file's: its text, what is read of it, and the page that shows that. */
  private static final int FOR_EACH_READ = 6;

  private static final long MEGABYTE = 1 << 20;

  private final long bytes;
  private final AtomicLong left;

  /** The memory of a size in bytes. */
  public AnswerMemory(long bytes) {
    this.bytes = bytes;
    left = new AtomicLong(bytes);
  }

  /** The memory that this process has for answers: half of its heap. */
  public static AnswerMemory ofHeap() {
    return new AnswerMemory(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** The refusal of an answer for which others leave no memory at the moment. */
  public static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The memory of one answer, until it is given back. Thread-safe. */
  public final class Held implements AutoCloseable {
    private final long taken;
    private final AtomicBoolean isBack = new AtomicBoolean();

    private Held(long taken) {
      this.taken = taken;
    }

    @Override
    public void close() {
      if (!isBack.getAndSet(true)) {
        left.addAndGet(taken);
      }
    }
  }

  /**
   * The size of files of which all that is read fits into a part of it.
   *
   * @param part one of so many
   */
  public long fileBytes(int part) {
    return bytes / part / FOR_EACH_READ;
  }

  /**
   * Takes the memory for what is read of a file, and for what is made of that.
   *
   * @param fileBytes the size of the file
   * @throws Exhausted if others leave too little at the moment
   * @throws TerraceException if there is not as much even when nothing else is answered
   */
  public Held takeToRead(long fileBytes) {
    return take(fileBytes * FOR_EACH_READ);
  }

  /**
   * Takes some memory.
   *
   * @throws TerraceException if there is not as much even when nothing else is answered
   */
  Held take(long wanted) {
    if (wanted > bytes) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "this takes some %d MB of memory, of which all answers may have %d MB together; start terrace serve with more (TERRACE_JAVA_OPTIONS=-Xmx%dm)"
              .formatted(
                  wanted / MEGABYTE + 1, bytes / MEGABYTE, PART_OF_HEAP * (wanted / MEGABYTE + 1)));
    }
    if (left.getAndUpdate(now -> now < wanted ? now : now - wanted) < wanted) {
      throw new Exhausted();
    }
    return new Held(wanted);
  }
}
