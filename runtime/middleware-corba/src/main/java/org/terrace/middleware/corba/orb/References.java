package org.terrace.middleware.corba.orb;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.UserException;
import org.omg.IOP.Codec;
import org.omg.IOP.CodecFactory;
import org.omg.IOP.CodecFactoryHelper;
import org.omg.IOP.ENCODING_CDR_ENCAPS;
import org.omg.IOP.Encoding;
import org.omg.IOP.IOR;
import org.omg.IOP.IORHelper;
import org.omg.IOP.TAG_INTERNET_IOP;
import org.omg.IOP.TaggedProfile;

/** Reads and merges stringified object references. Thread-safe as far as its ORB is. */
final class References {
  private static final String PREFIX = "IOR:";
  private static final byte MAJOR = 1;
  private static final byte MINOR = 2;

  private final ORB orb;
  private final Codec codec;

  References(ORB orb) throws UserException {
    this.orb = orb;
    CodecFactory codecs = CodecFactoryHelper.narrow(orb.resolve_initial_references("CodecFactory"));
    codec = codecs.create_codec(new Encoding(ENCODING_CDR_ENCAPS.value, MAJOR, MINOR));
  }

  /** The address at which the object of a reference listens. */
  record Place(String host, int port) {}

  /** One reference with the profiles of all, in this order. */
  String merge(List<String> references) throws IOException {
    List<TaggedProfile> profiles = new ArrayList<>();
    for (String reference : references) {
      profiles.addAll(Arrays.asList(parse(reference).profiles));
    }
    return format(profiles);
  }

  /** A reference for each place that a reference names, in its order; the counterpart of merge. */
  List<String> split(String reference) throws IOException {
    List<String> places = new ArrayList<>();
    for (TaggedProfile profile : parse(reference).profiles) {
      if (profile.tag == TAG_INTERNET_IOP.value) {
        places.add(format(List.of(profile)));
      }
    }
    if (places.isEmpty()) {
      throw new IOException("the reference has no profile of IIOP");
    }
    return places;
  }

  private String format(List<TaggedProfile> profiles) throws IOException {
    Any any = orb.create_any();
    IORHelper.insert(any, new IOR(CarrierStub.TYPE, profiles.toArray(TaggedProfile[]::new)));
    try {
      return PREFIX + HexFormat.of().formatHex(codec.encode_value(any));
    } catch (UserException e) {
      throw new IOException("the references cannot be written: " + e, e);
    }
  }

  /** The first place of a reference. */
  Place place(String reference) throws IOException {
    for (TaggedProfile profile : parse(reference).profiles) {
      if (profile.tag == TAG_INTERNET_IOP.value) {
        return place(profile.profile_data);
      }
    }
    throw new IOException("the reference has no profile of IIOP");
  }

  /** An IIOP profile begins with byte order, version, host and port. */
  private static Place place(byte[] profile) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(profile);
    try {
      in.order(in.get() == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
      in.position(Integer.BYTES);
      byte[] host = new byte[Math.clamp(in.getInt(), 1, in.remaining())];
      in.get(host);
      if (in.position() % Short.BYTES != 0) {
        in.get();
      }
      return new Place(
          new String(host, 0, host.length - 1, StandardCharsets.US_ASCII),
          Short.toUnsignedInt(in.getShort()));
    } catch (BufferUnderflowException e) {
      throw new IOException("the reference is cut short", e);
    }
  }

  private IOR parse(String reference) throws IOException {
    if (!reference.startsWith(PREFIX)) {
      throw new IOException("a reference begins with IOR:, got '" + reference + "'");
    }
    try {
      byte[] bytes = HexFormat.of().parseHex(reference, PREFIX.length(), reference.length());
      return IORHelper.extract(codec.decode_value(bytes, IORHelper.type()));
    } catch (UserException | IllegalArgumentException e) {
      throw new IOException("the reference cannot be read: " + e, e);
    }
  }
}
