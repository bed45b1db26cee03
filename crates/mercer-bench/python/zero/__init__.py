"""What a program finds without being told any settings: sets, programs, measures."""
