package org.terrace.capture;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The functions of the C library that capturing needs, through the foreign-function API.
 *
 * <p>Every method returns what the function returned, or the negated error number, as the kernel
 * itself does. Loaded on Linux alone. Thread-safe.
 */
@SuppressWarnings("restricted")
final class LinuxCalls {
  static final int EPERM = 1;
  static final int EINTR = 4;
  static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int ENODEV = 19;
  static final int EINVAL = 22;
  static final int ENETDOWN = 100;
  static final int EAFNOSUPPORT = 97;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERROR_NUMBER =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle SOCKET = ints("socket", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = ints("close", JAVA_INT);
  private static final MethodHandle BIND = ints("bind", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle POLL = ints("poll", ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SET_OPTION =
      ints("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle GET_OPTION =
      ints("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle CONTROL =
      handle(
          "ioctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle INTERFACE_INDEX = ints("if_nametoindex", ADDRESS);
  private static final MethodHandle MAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle UNMAP = ints("munmap", ADDRESS, JAVA_LONG);
  private static final MethodHandle SET_ENVIRONMENT = ints("setenv", ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle EXECUTE = ints("execvp", ADDRESS, ADDRESS);
  private static final MethodHandle FILE_CONTROL =
      handle(
          "fcntl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));

  private LinuxCalls() {}

  static int socket(int domain, int type, int protocol) {
    return call(state -> (int) SOCKET.invokeExact(state, domain, type, protocol));
  }

  static int close(int descriptor) {
    return call(state -> (int) CLOSE.invokeExact(state, descriptor));
  }

  static int bind(int descriptor, MemorySegment address) {
    int length = Math.toIntExact(address.byteSize());
    return call(state -> (int) BIND.invokeExact(state, descriptor, address, length));
  }

  /** Waits for one of the events of one {@code struct pollfd}, at most so many milliseconds. */
  static int poll(MemorySegment pollDescriptor, int timeoutMillis) {
    return call(state -> (int) POLL.invokeExact(state, pollDescriptor, 1L, timeoutMillis));
  }

  static int setOption(int descriptor, int level, int option, MemorySegment value) {
    int length = Math.toIntExact(value.byteSize());
    return call(
        state -> (int) SET_OPTION.invokeExact(state, descriptor, level, option, value, length));
  }

  static int setOption(int descriptor, int level, int option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      return setOption(descriptor, level, option, arena.allocateFrom(JAVA_INT, value));
    }
  }

  static int getOption(int descriptor, int level, int option, MemorySegment value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocateFrom(JAVA_INT, Math.toIntExact(value.byteSize()));
      return call(
          state -> (int) GET_OPTION.invokeExact(state, descriptor, level, option, value, length));
    }
  }

  static int control(int descriptor, long request, MemorySegment argument) {
    return call(state -> (int) CONTROL.invokeExact(state, descriptor, request, argument));
  }

  /** The index of a network interface, 1 or more, or {@code -ENODEV}. */
  static int interfaceIndex(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      int index = call(state -> (int) INTERFACE_INDEX.invokeExact(state, text));
      return index == 0 ? -ENODEV : index;
    }
  }

  /** Maps a descriptor's memory for reading and writing, shared with the kernel. */
  static MemorySegment map(int descriptor, long length) {
    int readAndWrite = 1 | 2;
    int shared = 1;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment mapped =
          (MemorySegment)
              MAP.invokeExact(
                  state, MemorySegment.NULL, length, readAndWrite, shared, descriptor, 0L);
      if (mapped.address() == -1L) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "the capture ring of %d MB cannot be mapped (error %d): ask for a smaller one"
                .formatted(length >> 20, errorNumber(state)));
      }
      return mapped.reinterpret(length);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static int unmap(MemorySegment mapped) {
    long length = mapped.byteSize();
    return call(state -> (int) UNMAP.invokeExact(state, mapped, length));
  }

  static int setEnvironment(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment nameText = arena.allocateFrom(name);
      MemorySegment valueText = arena.allocateFrom(value);
      return call(state -> (int) SET_ENVIRONMENT.invokeExact(state, nameText, valueText, 1));
    }
  }

  /** Replaces this process by a program, found along the path; returns only when that failed. */
  static int execute(List<byte[]> arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment vector = arena.allocate(ADDRESS, arguments.size() + 1L);
      for (int i = 0; i < arguments.size(); i++) {
        byte[] argument = arguments.get(i);
        MemorySegment text = arena.allocate(argument.length + 1L);
        text.copyFrom(MemorySegment.ofArray(argument));
        vector.setAtIndex(ADDRESS, i, text);
      }
      MemorySegment program = vector.getAtIndex(ADDRESS, 0);
      return call(state -> (int) EXECUTE.invokeExact(state, program, vector));
    }
  }

  static int fileControl(int descriptor, int command, int argument) {
    return call(state -> (int) FILE_CONTROL.invokeExact(state, descriptor, command, argument));
  }

  /** A 16-bit number in network byte order, as the kernel's structures want it. */
  static short networkOrder(int value) {
    short narrow = (short) value;
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Short.reverseBytes(narrow) : narrow;
  }

  private static MethodHandle ints(String name, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
  }

  private static int errorNumber(MemorySegment state) {
    return (int) ERROR_NUMBER.get(state, 0L);
  }

  private static int call(Call function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      int result = function.invoke(state);
      return result < 0 ? -errorNumber(state) : result;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @FunctionalInterface
  private interface Call {
    int invoke(MemorySegment state) throws Throwable;
  }
}
