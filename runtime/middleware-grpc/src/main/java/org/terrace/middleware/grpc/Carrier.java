package org.terrace.middleware.grpc;

import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.MalformedDataException;

/** The one method of the wire: bytes there and back, the identity in the metadata beside them. */
final class Carrier {
  static final String SERVICE = "terrace.Carrier";

  /** The largest message that is sent or accepted, as of the default transport. */
  static final int MESSAGE_BYTES_MAX = 16 << 20;

  /** The identity as text, {@code client/sequence} with the client in hexadecimal. */
  static final Metadata.Key<String> IDENTITY =
      Metadata.Key.of("terrace-identity", Metadata.ASCII_STRING_MARSHALLER);

  static final CallOptions.Key<RequestIdentity> IDENTITY_OPTION =
      CallOptions.Key.create("terrace-identity");

  private static final MethodDescriptor.Marshaller<byte[]> BYTES = new ByteMarshaller();

  static final MethodDescriptor<byte[], byte[]> CALL = method("Call");

  /** A round trip that runs no call. */
  static final MethodDescriptor<byte[], byte[]> CHECK = method("Check");

  private Carrier() {}

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(BYTES)
        .setResponseMarshaller(BYTES)
        .build();
  }

  /**
   * Reads an identity.
   *
   * @throws MalformedDataException if the text is none
   */
  static RequestIdentity identity(@Nullable String text) {
    int slash = text == null ? -1 : text.indexOf('/');
    if (text == null || slash < 0) {
      throw new MalformedDataException("a call has an identity client/sequence, got " + text);
    }
    try {
      return new RequestIdentity(
          Long.parseUnsignedLong(text, 0, slash, 16),
          Long.parseLong(text, slash + 1, text.length(), 10));
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException("a call has an identity client/sequence, got " + text);
    }
  }

  private static final class ByteMarshaller implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
