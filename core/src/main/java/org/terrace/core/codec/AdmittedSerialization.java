package org.terrace.core.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization of admitted classes: no object of any other class is ever made of bytes,
 * whoever sent them, and what holds one is refused when it is set ({@code docs/decisions/0224}).
 *
 * <p>Encoding reads back what it wrote, so that what would fail at another server fails at once.
 * Thread-safe.
 */
public final class AdmittedSerialization {
  /** Depth, references, lengths of arrays and bytes of one attribute. */
  private static final String LIMITS =
      "maxdepth=64;maxrefs=100000;maxarray=100000;maxbytes=1900000";

  /** The classes of the JDK that nearly every object graph holds: values and collections. */
  private static final List<String> OF_THE_JDK =
      List.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.Record",
          "java.lang.Short",
          "java.lang.String",
          "java.lang.String$CaseInsensitiveComparator",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.time.*",
          "java.util.AbstractCollection",
          "java.util.AbstractList",
          "java.util.AbstractMap",
          "java.util.AbstractSet",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.Arrays$ArrayList",
          "java.util.BitSet",
          "java.util.CollSer",
          "java.util.Collections$*",
          "java.util.Currency",
          "java.util.Date",
          "java.util.EnumMap",
          "java.util.EnumSet$SerializationProxy",
          "java.util.HashMap",
          "java.util.HashMap$Node",
          "java.util.HashSet",
          "java.util.ImmutableCollections$*",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.Locale",
          "java.util.Map$Entry",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.UUID",
          "java.util.concurrent.ConcurrentHashMap",
          "java.util.concurrent.ConcurrentHashMap$Segment",
          "java.util.concurrent.CopyOnWriteArrayList",
          "java.util.concurrent.atomic.AtomicBoolean",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicLong",
          "java.util.concurrent.locks.AbstractOwnableSynchronizer",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer",
          "java.util.concurrent.locks.ReentrantLock",
          "java.util.concurrent.locks.ReentrantLock$*");

  private final ObjectInputFilter filter;

  /**
   * Serialization of these classes beside those of the JDK.
   *
   * @param classes names of classes; {@code package.*} for those of a package, {@code package.**}
   *     for those of its sub-packages too
   * @throws IllegalArgumentException if one of them is no such name
   */
  public AdmittedSerialization(List<String> classes) {
    StringBuilder patterns = new StringBuilder(LIMITS);
    for (String name : classes) {
      checkName(name);
      patterns.append(';').append(name);
    }
    OF_THE_JDK.forEach(name -> patterns.append(';').append(name));
    this.filter = ObjectInputFilter.Config.createFilter(patterns.append(";!*").toString());
  }

  private static void checkName(String name) {
    String bare = name.endsWith(".**") ? name.substring(0, name.length() - 3) : name;
    bare = bare.endsWith(".*") ? bare.substring(0, bare.length() - 2) : bare;
    if (bare.isEmpty()
        || !bare.chars().allMatch(one -> one == '.' || Character.isJavaIdentifierPart(one))) {
      throw new IllegalArgumentException(
          "an admitted class is given by its name, or as 'package.*' or 'package.**': '"
              + name
              + "'");
    }
  }

  /**
   * The bytes of a value.
   *
   * @throws IllegalArgumentException if it cannot be serialized, or holds what is not admitted
   */
  public byte[] encode(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw new IllegalArgumentException("it cannot be serialized: " + e, e);
    }
    byte[] encoded = bytes.toByteArray();
    try {
      decode(encoded, value.getClass().getClassLoader());
    } catch (MalformedDataException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return encoded;
  }

  /**
   * The value of bytes.
   *
   * @param loader of the application's classes; null for that of this class
   * @throws MalformedDataException if they are no value, or hold what is not admitted
   */
  public Object decode(byte[] bytes, @Nullable ClassLoader loader) {
    Watch watch = new Watch(filter);
    try (Admitting in = new Admitting(new ByteArrayInputStream(bytes), loader)) {
      in.setObjectInputFilter(watch);
      return in.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw new MalformedDataException(
          watch.rejected != null
              ? "it holds a " + watch.rejected + ", which is not among the admitted classes"
              : "it cannot be made of its serialized form: " + e);
    }
  }

  /** A filter that remembers whom it rejected. Confined to one reading. */
  private static final class Watch implements ObjectInputFilter {
    private final ObjectInputFilter filter;
    @Nullable String rejected;

    Watch(ObjectInputFilter filter) {
      this.filter = filter;
    }

    @Override
    public Status checkInput(FilterInfo info) {
      Status status = filter.checkInput(info);
      Class<?> type = info.serialClass();
      if (status == Status.REJECTED && rejected == null && type != null) {
        rejected = type.getTypeName();
      }
      return status;
    }
  }

  /** Finds classes by the application's loader. Confined. */
  private static final class Admitting extends ObjectInputStream {
    private final @Nullable ClassLoader loader;

    Admitting(InputStream in, @Nullable ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(described.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(described); // primitive types
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
      throw new IOException("a " + Proxy.class.getName() + " is not among the admitted classes");
    }
  }
}
