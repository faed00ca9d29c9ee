/** The portable code that an ORB runs; loaded once for each ORB, beside its libraries. */
@NullMarked
package org.terrace.middleware.corba.orb;

import org.jspecify.annotations.NullMarked;
