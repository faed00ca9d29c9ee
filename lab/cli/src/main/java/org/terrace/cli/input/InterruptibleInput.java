package org.terrace.cli.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stream that ends when its source does, or soon after an interrupt: what the source still sends
 * then is read, and when it is silent for {@value #SILENT_MILLIS} ms the stream is over. So Ctrl-C
 * on {@code tcpdump ... | terrace analyze -} ends the recording, not the analysis. One thread
 * reads; {@link #interrupt} may be called by any.
 */
public final class InterruptibleInput extends InputStream {
  private static final int CHUNK_BYTES = 64 << 10;

  /** Chunks read ahead of the reader, which bounds the memory that a fast source takes. */
  private static final int CHUNKS_AHEAD = 16;

  private static final int POLL_MILLIS = 100;
  private static final int SILENT_MILLIS = 500;

  /** A chunk of the source; an empty one is its end. */
  private record Chunk(byte[] bytes, @Nullable Throwable failure) {}

  private static final byte[] NOTHING = {};

  private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(CHUNKS_AHEAD);
  private volatile boolean interrupted;
  private byte[] current = {};
  private int position;
  private boolean ended;

  public InterruptibleInput(InputStream source) {
    Thread.ofPlatform().daemon().name("standard-input").start(() -> copy(source));
  }

  /** Ends the stream once the source is silent. */
  public void interrupt() {
    interrupted = true;
  }

  private void copy(InputStream source) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      while (true) {
        Chunk chunk;
        try {
          int length = source.read(buffer);
          chunk = new Chunk(Arrays.copyOf(buffer, Math.max(0, length)), null);
        } catch (IOException | OutOfMemoryError e) {
          chunk = new Chunk(NOTHING, e);
        }
        chunks.put(chunk);
        if (chunk.bytes.length == 0) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == current.length && !next()) {
      return -1;
    }
    int copied = Math.min(length, current.length - position);
    System.arraycopy(current, position, target, offset, copied);
    position += copied;
    return copied;
  }

  private boolean next() throws IOException {
    int silentMillis = 0;
    while (!ended) {
      Chunk chunk = poll();
      if (chunk == null) {
        silentMillis = interrupted ? silentMillis + POLL_MILLIS : 0;
        ended = silentMillis >= SILENT_MILLIS;
      } else if (chunk.failure != null) {
        ended = true;
        throw failure(chunk.failure);
      } else if (chunk.bytes.length == 0) {
        ended = true;
      } else {
        current = chunk.bytes;
        position = 0;
        return true;
      }
    }
    return false;
  }

  /** The failure to throw: what the thread of the source met is met by the reader. */
  private static IOException failure(Throwable met) {
    if (met instanceof OutOfMemoryError error) {
      throw error;
    }
    return met instanceof IOException failure ? failure : new IOException(met);
  }

  private @Nullable Chunk poll() throws IOException {
    try {
      return chunks.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for standard input", e);
    }
  }
}
