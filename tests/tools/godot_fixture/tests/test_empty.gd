extends GcsTest
