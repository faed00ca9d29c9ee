package org.terrace.nodes;

import java.io.InputStream;
import java.io.OutputStream;

/** A process that has ended, whose number another process may have by now. */
final class EndedProcess extends Process {
  private final long pid;

  EndedProcess(long pid) {
    this.pid = pid;
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public boolean isAlive() {
    return false;
  }

  @Override
  public OutputStream getOutputStream() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public int waitFor() {
    return 0;
  }

  @Override
  public int exitValue() {
    return 0;
  }

  @Override
  public void destroy() {}
}
