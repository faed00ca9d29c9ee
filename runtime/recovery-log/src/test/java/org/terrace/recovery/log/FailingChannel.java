package org.terrace.recovery.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A real file whose disk fails when it is to keep something for good. */
final class FailingChannel extends FileChannel {
  private final FileChannel real;
  private final boolean truncates;

  /** {@code truncates}: whether what was written can be taken back. */
  FailingChannel(FileChannel real, boolean truncates) {
    this.real = real;
    this.truncates = truncates;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    throw new IOException("planted: the disk is gone");
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    if (!truncates) {
      throw new IOException("planted: the disk is gone");
    }
    return real.truncate(size);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return real.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return real.read(targets, offset, length);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return real.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return real.write(sources, offset, length);
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    return real.position(position);
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return real.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return real.transferFrom(source, position, count);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return real.read(target, position);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return real.write(source, position);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return real.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return real.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return real.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
  }
}
