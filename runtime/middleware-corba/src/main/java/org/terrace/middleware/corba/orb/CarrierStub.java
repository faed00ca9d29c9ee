package org.terrace.middleware.corba.orb;

import org.jspecify.annotations.Nullable;
import org.omg.CORBA.INTERNAL;
import org.omg.CORBA.MARSHAL;
import org.omg.CORBA.portable.ApplicationException;
import org.omg.CORBA.portable.InputStream;
import org.omg.CORBA.portable.ObjectImpl;
import org.omg.CORBA.portable.OutputStream;
import org.omg.CORBA.portable.RemarshalException;

/** The client's end of {@code terrace::Carrier}, as the mapping of IDL to Java has it. */
final class CarrierStub extends ObjectImpl {
  static final String TYPE = "IDL:terrace/Carrier:1.0";
  static final String CALL = "call";
  static final String CHECK = "check";
  static final int BYTES_MAX = 64 << 20;
  private static final int FORWARDS_MAX = 16;

  /** A stub of that object. */
  CarrierStub(org.omg.CORBA.Object target) {
    _set_delegate(((ObjectImpl) target)._get_delegate());
  }

  @Override
  public String[] _ids() {
    return new String[] {TYPE};
  }

  byte[] call(byte[] request) {
    for (int forward = 0; forward < FORWARDS_MAX; forward++) {
      InputStream in = null;
      try {
        OutputStream out = _request(CALL, true);
        write(out, request);
        in = _invoke(out);
        return read(in);
      } catch (RemarshalException forwarded) {
        // The request is written again, for the place it was forwarded to.
      } catch (ApplicationException e) {
        throw undeclared(e);
      } finally {
        release(in);
      }
    }
    throw new INTERNAL("a request was forwarded more than " + FORWARDS_MAX + " times");
  }

  void check() {
    for (int forward = 0; forward < FORWARDS_MAX; forward++) {
      InputStream in = null;
      try {
        in = _invoke(_request(CHECK, true));
        return;
      } catch (RemarshalException forwarded) {
        // The request is written again, for the place it was forwarded to.
      } catch (ApplicationException e) {
        throw undeclared(e);
      } finally {
        release(in);
      }
    }
    throw new INTERNAL("a request was forwarded more than " + FORWARDS_MAX + " times");
  }

  private void release(@Nullable InputStream in) {
    if (in != null) {
      _releaseReply(in);
    }
  }

  private static INTERNAL undeclared(ApplicationException e) {
    return new INTERNAL("an exception that was not declared: " + e.getId());
  }

  static void write(OutputStream out, byte[] bytes) {
    out.write_long(bytes.length);
    out.write_octet_array(bytes, 0, bytes.length);
  }

  static byte[] read(InputStream in) {
    int length = in.read_long();
    if (length < 0 || length > BYTES_MAX) {
      throw new MARSHAL("a sequence of " + length + " octets; at most " + BYTES_MAX + " are taken");
    }
    byte[] bytes = new byte[length];
    in.read_octet_array(bytes, 0, length);
    return bytes;
  }
}
