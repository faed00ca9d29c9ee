package org.terrace.groups.service;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * All that one member offers. Of two reports of one member, the one of higher version is newer; the
 * member alone writes it, so the newest is the truth. Immutable.
 *
 * @param member the incarnation of the process that offers
 * @param version counts the reports of that incarnation, from 1
 * @param offers what it offers, at most {@value #OFFERS_MAX}
 */
record Report(long member, long version, List<Offer> offers) {
  static final int OFFERS_MAX = 256;

  Report {
    offers = List.copyOf(offers);
    if (offers.size() > OFFERS_MAX) {
      throw new IllegalArgumentException(
          "a member offers at most " + OFFERS_MAX + " services, not " + offers.size());
    }
  }

  void encode(Encoder out) {
    out.putFixedLong(member);
    out.putUnsigned(version);
    out.putUnsigned(offers.size());
    for (Offer offer : offers) {
      out.putString(offer.service());
      out.putString(offer.replica());
      out.putBytes(offer.address().getAddress().getAddress());
      out.putUnsigned(offer.address().getPort());
      out.putFixedLong(Double.doubleToLongBits(offer.load()));
    }
  }

  static Report decode(Decoder in) {
    long member = in.getFixedLong();
    long version = in.getUnsigned();
    int count = in.getCount(OFFERS_MAX);
    List<Offer> offers = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        String service = in.getString();
        String replica = in.getString();
        InetAddress host = InetAddress.getByAddress(in.getBytes());
        InetSocketAddress address = new InetSocketAddress(host, (int) in.getUnsigned());
        offers.add(
            new Offer(service, replica, address, Double.longBitsToDouble(in.getFixedLong())));
      }
      return new Report(member, version, offers);
    } catch (UnknownHostException | IllegalArgumentException e) {
      throw new MalformedDataException("no report: " + e.getMessage());
    }
  }
}
