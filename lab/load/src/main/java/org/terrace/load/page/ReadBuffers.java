package org.terrace.load.page;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Buffers and parsers for pages being received, shared by all users: a user holds one only from the
 * first byte of a response to its last, so that thinking and waiting users cost no buffers.
 * Thread-safe.
 */
public final class ReadBuffers {
  /** Buffers kept for the next response; more are made when more pages arrive at once. */
  private static final int KEPT = 64;

  private final BlockingQueue<Page> idle = new ArrayBlockingQueue<>(KEPT);

  /** One buffer with its parser and scanner. Held by one user at a time. */
  public static final class Page {
    private static final int BUFFER_BYTES = 16 << 10;

    private final byte[] bytes = new byte[BUFFER_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private final PageScanner scanner = new PageScanner();
    private final ResponseParser parser = new ResponseParser(scanner);

    private Page() {}

    /** The bytes received last, shared with {@link #buffer}. */
    public byte[] bytes() {
      return bytes;
    }

    /** The view of {@link #bytes} that a channel reads into. */
    public ByteBuffer buffer() {
      return buffer;
    }

    /** The search for the page's links and forms. */
    public PageScanner scanner() {
      return scanner;
    }

    /** The parser of the response, which feeds the scanner. */
    public ResponseParser parser() {
      return parser;
    }
  }

  /** A page's buffer for a response that begins. */
  public Page take() {
    Page page = idle.poll();
    return page == null ? new Page() : page;
  }

  /** Takes a buffer back after the last byte of its response. */
  public void giveBack(Page page) {
    var _ = idle.offer(page); // when enough are kept, the collector takes this one
  }
}
