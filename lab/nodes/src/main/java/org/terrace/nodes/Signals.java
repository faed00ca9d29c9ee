package org.terrace.nodes;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The sending of signals by a direct call of kill(2): an external {@code kill} command would strike
 * a process start later, and the JDK itself knows only TERM and KILL. Stateless and thread-safe.
 */
@SuppressWarnings("restricted")
public final class Signals {
  private static final MethodHandle KILL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private Signals() {}

  /** Signals one process; false when it is gone or not ours to signal. */
  public static boolean send(long pid, Signal signal) {
    if (pid <= 1) {
      throw new IllegalArgumentException("process " + pid);
    }
    return kill(Math.toIntExact(pid), signal);
  }

  /** Signals all processes of a group; false when none is left, or none ours to signal. */
  public static boolean sendGroup(long group, Signal signal) {
    if (group <= 1) {
      throw new IllegalArgumentException("group " + group);
    }
    return kill(-Math.toIntExact(group), signal);
  }

  private static boolean kill(int target, Signal signal) {
    try {
      return (int) KILL.invokeExact(target, signal.number()) == 0;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
