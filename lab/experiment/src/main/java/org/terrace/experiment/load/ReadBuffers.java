package org.terrace.experiment.load;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Buffers and parsers for pages being received, shared by all users: a user holds one only from the
 * first byte of a response to its last, so that thinking and waiting users cost no buffers.
 * Thread-safe.
 */
final class ReadBuffers {
  /** Buffers kept for the next response; more are made when more pages arrive at once. */
  private static final int KEPT = 64;

  private final BlockingQueue<Page> idle = new ArrayBlockingQueue<>(KEPT);

  /** One buffer with its parser and scanner. */
  static final class Page {
    private static final int BUFFER_BYTES = 16 << 10;

    final byte[] bytes = new byte[BUFFER_BYTES];
    final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    final PageScanner scanner = new PageScanner();
    final ResponseParser parser = new ResponseParser(scanner);
  }

  Page take() {
    Page page = idle.poll();
    return page == null ? new Page() : page;
  }

  void giveBack(Page page) {
    var _ = idle.offer(page); // when enough are kept, the collector takes this one
  }
}
