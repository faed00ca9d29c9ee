package org.terrace.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.terrace.core.TerraceException;
import org.terrace.hosts.network.ByteQueue;
import org.terrace.nodes.Signal;

/**
 * A process on a host with an agent. Its end is known when the agent has told it; when the agent is
 * gone, so is the process, by the agent's own promise. Thread-safe.
 */
final class AgentProcess extends Process {
  /** The status of a process that nobody can tell anything of any more: that of SIGKILL. */
  static final int LOST = 128 + 9;

  private static final byte[] NOTHING = {};

  private final AgentConnection connection;
  private final int key;
  private final ByteQueue output = new ByteQueue();
  private final CompletableFuture<Integer> status = new CompletableFuture<>();
  private volatile long pid;

  AgentProcess(AgentConnection connection, int key) {
    this.connection = connection;
    this.key = key;
  }

  int key() {
    return key;
  }

  void started(long number) {
    pid = number;
  }

  void printed(byte[] bytes) {
    output.put(bytes);
  }

  void silent() {
    output.end();
  }

  void ended(int exitStatus) {
    status.complete(exitStatus);
  }

  /** Tells that the agent is gone. */
  void lost() {
    output.end();
    status.complete(LOST);
  }

  @Override
  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int at = 0; at < length; at += AgentMessages.CHUNK_BYTES) {
          int end = Math.min(length, at + AgentMessages.CHUNK_BYTES);
          input(Arrays.copyOfRange(bytes, offset + at, offset + end));
        }
      }
    };
  }

  private void input(byte[] bytes) throws IOException {
    var with = AgentMessages.JSON.createObjectNode();
    with.put("process", key).put("bytes", Base64.getEncoder().encodeToString(bytes));
    try {
      var _ = connection.call("input", with);
    } catch (TerraceException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public InputStream getInputStream() {
    return output;
  }

  @Override
  public InputStream getErrorStream() {
    return new java.io.ByteArrayInputStream(NOTHING);
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return status.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean waitFor(long amount, TimeUnit unit) throws InterruptedException {
    try {
      var _ = status.get(amount, unit);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int exitValue() {
    Integer value = status.getNow(null);
    if (value == null) {
      throw new IllegalThreadStateException("the process has not ended");
    }
    return value;
  }

  @Override
  public boolean isAlive() {
    return !status.isDone();
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public CompletableFuture<Process> onExit() {
    return status.thenApply(ended -> this);
  }

  @Override
  public void destroy() {
    connection.signal(this, false, Signal.TERM);
  }

  @Override
  public Process destroyForcibly() {
    connection.signal(this, false, Signal.KILL);
    return this;
  }
}
